"""Reads a character with assimp and reports what assimp hands over.

pyassimp brings the C structures; its own wrapping of them leaves the morphs out
and copies all else slowly, so they are read here as they are.
"""

import base64
import ctypes
import os
import struct
import sys
import warnings

warnings.filterwarnings("ignore", category=DeprecationWarning)  # pyassimp's distutils
from pyassimp import structs  # noqa: E402
from pyassimp.core import _assimp_lib  # noqa: E402

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
import observer  # noqa: E402

DLL = _assimp_lib.dll
LOG = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_char_p)

# assimp's texture types for our slots; some are known under an older type, too.
SLOTS = {
    "baseColor": (12, 1),
    "metallicRoughness": (15, 18),
    "normal": (6,),
    "occlusion": (10, 17),
    "emissive": (4, 14),
}
FLOAT, STRING, INTEGER = 1, 3, 4


class LogStream(ctypes.Structure):
    _fields_ = [("callback", LOG), ("user", ctypes.c_char_p)]


class Bone(ctypes.Structure):
    """The library's own bone; pyassimp's lacks the two pointers in its middle."""

    _fields_ = [
        ("mName", structs.String),
        ("mNumWeights", ctypes.c_uint),
        ("mArmature", ctypes.c_void_p),
        ("mNode", ctypes.c_void_p),
        ("mWeights", ctypes.POINTER(structs.VertexWeight)),
        ("mOffsetMatrix", structs.Matrix4x4),
    ]


def version():
    parts = [DLL.aiGetVersionMajor(), DLL.aiGetVersionMinor()]
    return ".".join(str(part) for part in [*parts, DLL.aiGetVersionPatch()])


def observe(task):
    lines = []

    def keep(message, _):
        text = message.decode(errors="replace").strip()
        if text.startswith(("Warn", "Error")):
            lines.append(text)

    stream = LogStream(LOG(keep), None)
    DLL.aiAttachLogStream(ctypes.byref(stream))
    path = os.path.join(task["dir"], "with-clip.glb")
    pointer = _assimp_lib.load(path.encode(), 0)
    try:
        if not pointer:
            DLL.aiGetErrorString.restype = ctypes.c_char_p
            raise RuntimeError(DLL.aiGetErrorString().decode(errors="replace"))
        return {"warnings": lines, **observe_scene(pointer.contents, task)}
    finally:
        DLL.aiDetachLogStream(ctypes.byref(stream))
        if pointer:
            _assimp_lib.release(pointer)


def observe_scene(scene, task):
    faults = []
    nodes = {}
    walk(scene.mRootNode.contents, None, nodes)
    locals_at_rest = {name: matrix(node.mTransformation) for name, (node, _) in nodes.items()}
    moved = {**locals_at_rest, **keys_at(scene, task["time"], nodes, faults)}
    rest, pose = globals_of(nodes, locals_at_rest), globals_of(nodes, moved)

    holders = [node for node, _ in nodes.values() if node.mNumMeshes > 0]
    bones = {}
    meshes = []
    for node in holders:
        parts = [scene.mMeshes[node.mMeshes[index]].contents for index in range(node.mNumMeshes)]
        for part in parts:
            bones.update({text(bone.mName): None for bone in bones_of(part)})
        states = {"rest": [], "morph": [], "pose": []}
        for part in parts:
            base = vectors(part.mVertices, part.mNumVertices)
            states["rest"] += skinned(part, base, rest)
            states["morph"] += skinned(part, morphed(part, task["unit"], base), rest)
            states["pose"] += skinned(part, base, pose)
        meshes.append({
            "name": text(node.mName),
            "triangles": sum(part.mNumFaces for part in parts),
            "joints": min(part.mNumBones for part in parts),
            "morphs": morphs(parts),
            "materials": [
                material(scene, scene.mMaterials[part.mMaterialIndex].contents) for part in parts
            ],
            "positions": {
                state: observer.floats(value for point in points for value in point)
                for state, points in states.items()
            },
        })
    return {
        "faults": faults,
        "joints": [{"name": name, "parent": parent(nodes, name, bones)} for name in bones],
        "materials": materials(scene),
        "meshes": meshes,
        "pose": {name: [row[3] for row in pose[name]] for name in bones if name in pose},
    }


def text(string):
    return string.data[: string.length].decode(errors="replace")


def walk(node, parent_name, nodes):
    """All nodes by name, parents first, with their parent's name."""
    name = text(node.mName)
    nodes[name] = (node, parent_name)
    for index in range(node.mNumChildren):
        walk(node.mChildren[index].contents, name, nodes)


def parent(nodes, name, bones):
    above = nodes[name][1] if name in nodes else None
    return above if above in bones else None


def matrix(m):
    """The first three rows of assimp's matrix, whose rows are written out."""
    return [
        [m.a1, m.a2, m.a3, m.a4],
        [m.b1, m.b2, m.b3, m.b4],
        [m.c1, m.c2, m.c3, m.c4],
    ]


def times(a, b):
    return [
        [sum(row[k] * b[k][column] for k in range(3)) + (row[3] if column == 3 else 0)
         for column in range(4)]
        for row in a
    ]


def globals_of(nodes, local):
    out = {}
    for name, (_, above) in nodes.items():
        out[name] = local[name] if above is None else times(out[above], local[name])
    return out


def keys_at(scene, time, nodes, faults):
    """The local matrices that the clip's channels give to their nodes."""
    if scene.mNumAnimations != 1:
        faults.append({"path": "animations", "found": str(scene.mNumAnimations), "expected": "1"})
        return {}
    animation = scene.mAnimations[0].contents
    tick = time * (animation.mTicksPerSecond or 1)
    out = {}
    for index in range(animation.mNumChannels):
        channel = animation.mChannels[index].contents
        name = text(channel.mNodeName)
        if name not in nodes:
            faults.append({"path": f"clip: joint {name}", "found": "no node of this name",
                           "expected": "one"})
            continue
        turn = nearest(channel.mRotationKeys, channel.mNumRotationKeys, tick)
        move = nearest(channel.mPositionKeys, channel.mNumPositionKeys, tick)
        out[name] = rigid(turn, move)
    return out


def nearest(keys, count, tick):
    return min((keys[index] for index in range(count)), key=lambda key: abs(key.mTime - tick)).mValue


def rigid(q, t):
    return [
        [1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.z * q.w),
         2 * (q.x * q.z + q.y * q.w), t.x],
        [2 * (q.x * q.y + q.z * q.w), 1 - 2 * (q.x * q.x + q.z * q.z),
         2 * (q.y * q.z - q.x * q.w), t.y],
        [2 * (q.x * q.z - q.y * q.w), 2 * (q.y * q.z + q.x * q.w),
         1 - 2 * (q.x * q.x + q.y * q.y), t.z],
    ]


def vectors(pointer, count):
    return [(pointer[i].x, pointer[i].y, pointer[i].z) for i in range(count)]


def bones_of(part):
    bones = ctypes.cast(part.mBones, ctypes.POINTER(ctypes.POINTER(Bone)))
    return [bones[index].contents for index in range(part.mNumBones)]


def skinned(part, points, joints):
    """Vertices moved by the bones' offset matrices, weights and nodes."""
    out = [[0.0, 0.0, 0.0] for _ in points]
    for bone in bones_of(part):
        if bone.mNumWeights == 0 or text(bone.mName) not in joints:
            continue
        m = times(joints[text(bone.mName)], matrix(bone.mOffsetMatrix))
        for index in range(bone.mNumWeights):
            weight = bone.mWeights[index]
            x, y, z = points[weight.mVertexId]
            to = out[weight.mVertexId]
            for axis, row in enumerate(m):
                to[axis] += weight.mWeight * (row[0] * x + row[1] * y + row[2] * z + row[3])
    return out if part.mNumBones else [list(point) for point in points]


def morphs_of(part):
    return [part.mAnimMeshes[index].contents for index in range(part.mNumAnimMeshes)]


def morphed(part, unit, base):
    """assimp's morphs are whole meshes, not differences."""
    for target in morphs_of(part):
        if text(target.mName) == unit:
            return vectors(target.mVertices, target.mNumVertices)
    return base


def morphs(parts):
    out = []
    for index, target in enumerate(morphs_of(parts[0])):
        reaches = []
        for part in parts:
            base = vectors(part.mVertices, part.mNumVertices)
            there = vectors(morphs_of(part)[index].mVertices, part.mNumVertices)
            reaches += [sum((a - b) ** 2 for a, b in zip(p, q)) for p, q in zip(there, base)]
        out.append({"name": text(target.mName), "reach": max(reaches) ** 0.5})
    return out


def properties(one):
    """A material's properties by key and texture type."""
    out = {}
    for index in range(one.mNumProperties):
        prop = one.mProperties[index].contents
        raw = bytes(prop.mData[: prop.mDataLength])
        if prop.mType == FLOAT:
            value = struct.unpack(f"<{len(raw) // 4}f", raw)
        elif prop.mType == STRING:
            value = raw[4 : 4 + struct.unpack("<I", raw[:4])[0]].decode(errors="replace")
        elif prop.mType == INTEGER:
            value = struct.unpack(f"<{len(raw) // 4}i", raw)
        else:
            value = raw
        out[(text(prop.mKey), prop.mSemantic)] = value
    return out


def material(scene, one):
    there = properties(one)
    number = lambda key: there.get((key, 0), (None,))[0]  # noqa: E731
    return {
        "name": there.get(("?mat.name", 0)),
        "baseColor": list(there.get(("$clr.base", 0), ())),
        "metallic": number("$mat.metallicFactor"),
        "roughness": number("$mat.roughnessFactor"),
        "doubleSided": bool(number("$mat.twosided")),
        "textures": textures(scene, there),
    }


def materials(scene):
    """The names of all materials."""
    names = [
        properties(scene.mMaterials[index].contents).get(("?mat.name", 0))
        for index in range(scene.mNumMaterials)
    ]
    # assimp puts a nameless one behind a glTF's own, whether it is needed or not.
    used = {scene.mMeshes[index].contents.mMaterialIndex for index in range(scene.mNumMeshes)}
    if names and names[-1] is None and len(names) - 1 not in used:
        names.pop()
    return names


def textures(scene, there):
    out = []
    for slot, types in SLOTS.items():
        name = next((there[("$tex.file", one)] for one in types if ("$tex.file", one) in there), None)
        if name is None:
            continue
        image = b""
        # An embedded image is named by its number, and has no height while it
        # is compressed; its width is its length in bytes.
        if name.startswith("*") and int(name[1:]) < scene.mNumTextures:
            texture = scene.mTextures[int(name[1:])].contents
            if texture.mHeight == 0:
                image = ctypes.string_at(texture.pcData, texture.mWidth)
        out.append({"slot": slot, "bytes": base64.b64encode(image).decode()})
    return out


if __name__ == "__main__":
    if sys.argv[1:] == ["--version"]:
        print(version())
    else:
        observer.run(observe)
