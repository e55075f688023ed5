"""Work of many machines: `merge` joins shards of any kind; on a Ray cluster (extra `ray`) they are submitted, too.

`connection` reaches the cluster, `generate` and `probe` submit to it and merge.

What a shard is, how it resumes and how all are joined is not known here: that is the same for any scheduler. Nodes
share a file system or an object store, where every shard has its folder; nothing else passes between them.
"""
