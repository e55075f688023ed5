"""From a scene to pixels and PNG: the only package that draws scenes.

render              a whole scene
scale               the same, smaller or larger
things              a thing of a law, by the recipes in `bodies`, `nature`, `devices` and `pointers`, with one `pen`
png, picture        encoded and digested; a picture that is made when it is first needed
domain              the properties of the pictures that a judge was tested on, or is to judge
reading             any picture's file, read: the only place that decodes one

Plots of results are drawn in `pages/`; contact sheets are put together in `suites/`.
"""
