"""Pictures that were made elsewhere, as folders of pictures of our own, one a model; the files stay in their places.

`places` reads the prompts and the pictures of a table, or of a folder PICTURES/MODEL/…, with the sample that each
picture is; `pictures` writes the folders.
"""
