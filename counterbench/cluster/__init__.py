"""Work on many machines.

`merge` joins shards of any kind; `ray` submits them to a cluster (extra `ray`) and merges them.

Shards, their resuming and their merging are the same for any scheduler. Nodes share a file system or an object store,
where every shard has its folder; they exchange nothing else.
"""
