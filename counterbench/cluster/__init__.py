"""Work on many machines: `merge` joins shards of any kind; on a Ray cluster (extra `ray`) they are also submitted.

`connection` reaches the cluster, `generate` and `probe` submit to it and merge.

Shards, their resuming and their merging are the same for any scheduler. Nodes share a file system or an object store,
where every shard has its folder; they exchange nothing else.
"""
