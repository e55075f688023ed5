"""Pictures that were made elsewhere, as folders of pictures of our own, one a model; the files stay in their places.

material    the prompts and the pictures of a table, or of a folder
places      the sample that each picture is
pictures    the folders
"""

from counterbench.t2i.importing.material import Material, read_material
from counterbench.t2i.importing.pictures import import_pictures

__all__ = ["Material", "import_pictures", "read_material"]
