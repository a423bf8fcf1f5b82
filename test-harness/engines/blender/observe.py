"""Imports a character into Blender and reports what became of it.

Blender turns glTF's axes: its (x, y, z) is glTF's (x, z, -y). All positions are
turned back before they are reported.
"""

import logging
import os
import sys

import bpy

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
import observer  # noqa: E402

# The importer's inputs of Blender's shader, and our names of texture slots.
SLOTS = {
    "baseColor": "Base Color",
    "metallicRoughness": "Metallic",
    "normal": "Normal",
    "emissive": "Emission Color",
}


class Warnings(logging.Handler):
    """Keeps what the importer logs as a warning or worse."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.lines = []

    def emit(self, record):
        self.lines.append(f"{record.levelname.lower()}: {record.getMessage()}")


def observe(task):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    warnings = Warnings()
    logging.getLogger().addHandler(warnings)
    try:
        objects = load(task, "character.glb")
        clip = load(task, "clip.glb")
    finally:
        logging.getLogger().removeHandler(warnings)

    faults = []
    armatures = [obj for obj in objects if obj.type == "ARMATURE"]
    if len(armatures) != 1:
        faults.append(fault("armatures", len(armatures), 1))
    armature = armatures[0] if armatures else None
    # The importer adds a shape that it draws bones with.
    shapes = {bone.custom_shape for obj in armatures for bone in obj.pose.bones}
    meshes = [obj for obj in objects if obj.type == "MESH" and obj not in shapes]

    positions = [{} for _ in meshes]
    keep(positions, "rest", meshes)
    set_unit(meshes, task["unit"], 1.0)
    keep(positions, "morph", meshes)
    set_unit(meshes, task["unit"], 0.0)
    if armature:
        play(armature, clip, task["time"], faults)
    keep(positions, "pose", meshes)

    used = {slot.material for obj in meshes for slot in obj.material_slots}
    return {
        "warnings": warnings.lines,
        "faults": faults,
        "joints": [
            {"name": bone.name, "parent": bone.parent.name if bone.parent else None}
            for bone in (armature.data.bones if armature else [])
        ],
        "materials": [material.name for material in used if material],
        "meshes": [
            {
                "name": obj.name,
                "triangles": sum(len(face.vertices) - 2 for face in obj.data.polygons),
                "joints": bound_bones(obj, armature),
                "morphs": morphs(obj),
                "materials": [material(slot.material) for slot in obj.material_slots],
                "positions": positions[index],
            }
            for index, obj in enumerate(meshes)
        ],
        "pose": {
            bone.name: turned((armature.matrix_world @ bone.matrix).translation)
            for bone in (armature.pose.bones if armature else [])
        },
    }


def fault(path, found, expected):
    return {"path": path, "found": str(found), "expected": str(expected)}


def load(task, name):
    """Imports a file and returns the objects that it brought."""
    before = set(bpy.data.objects)
    bpy.ops.import_scene.gltf(filepath=os.path.join(task["dir"], name))
    return [obj for obj in bpy.data.objects if obj not in before]


def turned(vector):
    return [vector.x, vector.z, -vector.y]


def keep(positions, state, meshes):
    """Notes where Blender's modifiers put every vertex now."""
    bpy.context.view_layer.update()
    graph = bpy.context.evaluated_depsgraph_get()
    for kept, obj in zip(positions, meshes):
        evaluated = obj.evaluated_get(graph)
        mesh = evaluated.to_mesh()
        world = evaluated.matrix_world
        kept[state] = observer.floats(
            value for vertex in mesh.vertices for value in turned(world @ vertex.co)
        )
        evaluated.to_mesh_clear()


def keys_of(obj):
    """A mesh's shape keys without the first, which is the mesh itself."""
    keys = obj.data.shape_keys
    return list(keys.key_blocks)[1:] if keys else []


def set_unit(meshes, unit, value):
    for obj in meshes:
        for key in keys_of(obj):
            if key.name == unit:
                key.value = value


def morphs(obj):
    out = []
    for key in keys_of(obj):
        base = key.relative_key.data
        moves = ((point.co - base[index].co).length for index, point in enumerate(key.data))
        out.append({"name": key.name, "reach": max(moves)})
    return out


def bound_bones(obj, armature):
    """How many bones move the mesh: those with a vertex group of their name."""
    modifiers = [one for one in obj.modifiers if one.type == "ARMATURE"]
    if armature is None or [one.object for one in modifiers] != [armature]:
        return 0
    return sum(bone.name in obj.vertex_groups for bone in armature.data.bones)


def play(armature, clip, time, faults):
    """Gives the character the clip's action, bound by name, at one moment."""
    source = next(obj for obj in clip if obj.type == "ARMATURE")
    data = source.animation_data
    action = data.action or data.nla_tracks[0].strips[0].action
    own = armature.animation_data_create()
    own.action = action
    # Since 4.4 an action has slots, and one is made for the clip's armature.
    if own.action_slot is None:
        own.action_slot = action.slots[0]
    for name in sorted({bone.name for bone in source.data.bones} - set(armature.pose.bones.keys())):
        faults.append(fault(f"clip: joint {name}", "no bone of this name", "one"))
    scene = bpy.context.scene
    frame = time * scene.render.fps / scene.render.fps_base
    scene.frame_set(int(frame), subframe=frame - int(frame))


def material(one):
    if one is None:
        return None
    shader = next(node for node in one.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
    return {
        "name": one.name,
        "baseColor": base_colour(shader),
        "metallic": unlinked(shader.inputs["Metallic"]),
        "roughness": unlinked(shader.inputs["Roughness"]),
        "doubleSided": not one.use_backface_culling,
        "textures": textures(one, shader),
    }


def unlinked(socket):
    return None if socket.is_linked else socket.default_value


def base_colour(shader):
    """The factor: the input itself, or what a texture is multiplied by."""
    alpha = shader.inputs["Alpha"]
    opacity = 1.0 if alpha.is_linked else alpha.default_value
    socket = shader.inputs["Base Color"]
    if not socket.is_linked:
        return [*list(socket.default_value)[:3], opacity]
    node = socket.links[0].from_node
    if node.type != "MIX":
        return [1.0, 1.0, 1.0, opacity]
    factor = next(one for one in node.inputs if one.type == "RGBA" and not one.is_linked)
    return [*list(factor.default_value)[:3], opacity]


def textures(one, shader):
    out = []
    for slot, name in SLOTS.items():
        image = image_behind(shader.inputs[name])
        if image:
            out.append(texture(slot, image))
    # Occlusion has no place in Blender's shader; the importer puts it aside.
    for node in one.node_tree.nodes:
        if node.type == "GROUP" and "Occlusion" in node.inputs:
            image = image_behind(node.inputs["Occlusion"])
            if image:
                out.append(texture("occlusion", image))
    return out


def image_behind(socket):
    """The image at the far end of what is linked to an input."""
    for link in socket.links:
        node = link.from_node
        if node.type == "TEX_IMAGE":
            return node.image
        for inner in node.inputs:
            image = image_behind(inner)
            if image:
                return image
    return None


def texture(slot, image):
    # Asking for pixels is what makes Blender decode them.
    decoded = len(image.pixels) > 0 and any(image.pixels[:])
    return {"slot": slot, "width": image.size[0], "height": image.size[1], "pixels": decoded}


if __name__ == "__main__":
    observer.run(observe)
