# Imports a character into Godot and reports what became of it.
#
# Godot without a display keeps skeletons but skins nothing, so the vertices are
# skinned here, with Godot's own bones, binds and weights. Face units are mixed
# by Godot.
extends SceneTree

const RATE := 30.0  # samples a second, about
# Our names of texture slots, and where Godot's materials keep them.
const SLOTS := {
	"baseColor": "albedo_texture",
	"metallicRoughness": "metallic_texture",
	"normal": "normal_texture",
	"occlusion": "ao_texture",
	"emissive": "emission_texture",
}

var journal := Journal.new()
var character: Node


## Keeps what Godot prints as a warning or worse. A fault of this script is one,
## too: GDScript has no exceptions, a function that fails returns null.
class Journal:
	extends Logger

	var lines: Array[String] = []
	var crash := ""
	var mutex := Mutex.new()

	# Called from any thread.
	func _log_error(function, file, line, code, rationale, _notify, type, _backtraces) -> void:
		var text: String = rationale if rationale != "" else code
		mutex.lock()
		if type == ERROR_TYPE_SCRIPT:
			crash = "%s (%s, %s:%d)" % [text, function, file.get_file(), line]
		else:
			lines.append(("warning: " if type == ERROR_TYPE_WARNING else "error: ") + text)
		mutex.unlock()


func _initialize() -> void:
	OS.add_logger(journal)
	# The editor's build leaves meshes in the form that the editor imports.
	GLTFDocument.register_gltf_document_extension(GLTFDocumentExtensionConvertImporterMesh.new())


# One task for each frame; nodes are in the tree only when frames have begun.
func _process(_delta: float) -> bool:
	var line := OS.read_string_from_stdin(65536)
	if line.strip_edges() == "":
		return true
	var task: Dictionary = JSON.parse_string(line)
	journal.lines.clear()
	journal.crash = ""
	var seen = observe(task)
	if seen == null:
		seen = {"error": "; ".join([journal.crash] + journal.lines).trim_prefix("; ")}
	if character:
		character.free()
	var out := FileAccess.open(task.dir.path_join("seen.json"), FileAccess.WRITE)
	out.store_string(JSON.stringify(seen, "", true, true))
	out.close()
	print("\n@@ done")
	return false


func observe(task: Dictionary):
	character = null
	var state := GLTFState.new()
	character = load_scene(task.dir.path_join("character.glb"), state, RATE)
	if character == null:
		return null
	root.add_child(character)

	var faults := []
	var skeletons := character.find_children("*", "Skeleton3D", true, false)
	if skeletons.size() != 1:
		faults.append(fault("skeletons", skeletons.size(), 1))
	var skeleton: Skeleton3D = skeletons[0] if skeletons else null
	var meshes := character.find_children("*", "MeshInstance3D", true, false)
	var names := original_names(state)

	var positions := []
	for mesh in meshes:
		positions.append({"rest": placed(mesh, mesh.mesh)})
	for index in meshes.size():
		positions[index].morph = with_unit(meshes[index], task.unit)
	if skeleton:
		play(skeleton, task, names, faults)
	for index in meshes.size():
		positions[index].pose = placed(meshes[index], meshes[index].mesh)

	var joints := []
	var pose := {}
	for bone in (skeleton.get_bone_count() if skeleton else 0):
		var above := skeleton.get_bone_parent(bone)
		var name: String = names[skeleton.get_bone_name(bone)]
		joints.append({
			"name": name,
			"parent": names[skeleton.get_bone_name(above)] if above >= 0 else null,
		})
		var place := skeleton.global_transform * skeleton.get_bone_global_pose(bone).origin
		pose[name] = [place.x, place.y, place.z]
	var seen_meshes := []
	for index in meshes.size():
		seen_meshes.append(mesh_seen(meshes[index], skeleton, positions[index]))
	return {
		"warnings": journal.lines.duplicate(),
		"faults": faults,
		"joints": joints,
		"materials": state.get_materials().map(func(material): return material.resource_name),
		"meshes": seen_meshes,
		"pose": pose,
		"error": journal.crash,
	}


func fault(path: String, found, expected) -> Dictionary:
	return {"path": path, "found": str(found), "expected": str(expected)}


func load_scene(path: String, state: GLTFState, rate: float) -> Node:
	var document := GLTFDocument.new()
	# As it is in the file: by itself Godot would compress pixels or write them out.
	state.handle_binary_image_mode = GLTFState.HANDLE_BINARY_IMAGE_MODE_EMBED_AS_UNCOMPRESSED
	if document.append_from_file(path, state) != OK:
		return null
	# Tracks that do not leave the rest pose are wanted, too: the two rests differ.
	return document.generate_scene(state, rate, false, false)


# Godot's names of nodes and bones have no colons; this leads back to the file's.
func original_names(state: GLTFState) -> Dictionary:
	var names := {}
	for node in state.get_nodes():
		names[node.resource_name] = node.original_name
	return names


# Gives the character the clip's animation, bound by name, at one moment.
func play(skeleton: Skeleton3D, task: Dictionary, names: Dictionary, faults: Array) -> void:
	# Godot samples a clip as it imports it: at a rate that meets the moment.
	var rate := roundf(task.time * RATE) / task.time as float
	var clip := load_scene(task.dir.path_join("clip.glb"), GLTFState.new(), rate)
	var source: AnimationPlayer = clip.find_children("*", "AnimationPlayer", true, false)[0]
	var animation := source.get_animation(source.get_animation_list()[0])
	clip.free()

	var path := str(character.get_path_to(skeleton))
	for track in animation.get_track_count():
		var bone := animation.track_get_path(track).get_concatenated_subnames()
		if skeleton.find_bone(bone) < 0:
			faults.append(fault("clip: joint " + names.get(bone, bone), "no bone of this name", "one"))
		animation.track_set_path(track, NodePath(path + ":" + bone))
	var library := AnimationLibrary.new()
	library.add_animation("clip", animation)
	var player := AnimationPlayer.new()
	character.add_child(player)
	player.add_animation_library("", library)
	player.play("clip")
	player.seek(task.time, true)


# A mesh's vertices with one face unit at full.
func with_unit(instance: MeshInstance3D, unit) -> String:
	var index := instance.find_blend_shape_by_name(unit) if unit != null else -1
	if index < 0:
		return placed(instance, instance.mesh)
	instance.set_blend_shape_value(index, 1.0)
	var mixed := instance.bake_mesh_from_current_blend_shape_mix()
	instance.set_blend_shape_value(index, 0.0)
	return placed(instance, mixed)


# The vertices of `mesh`, skinned as `instance` is and put into the world.
func placed(instance: MeshInstance3D, mesh: Mesh) -> String:
	var matrices := bone_matrices(instance)
	var out := PackedVector3Array()
	for surface in mesh.get_surface_count():
		var points: PackedVector3Array = mesh.surface_get_arrays(surface)[Mesh.ARRAY_VERTEX]
		# A mixed mesh has lost its weights.
		var arrays := instance.mesh.surface_get_arrays(surface)
		if matrices and arrays[Mesh.ARRAY_BONES] != null:
			points = skinned(points, arrays[Mesh.ARRAY_BONES], arrays[Mesh.ARRAY_WEIGHTS], matrices)
		out.append_array(instance.global_transform * points)
	return Marshalls.raw_to_base64(out.to_byte_array())


# What moves a vertex for each of the skin's binds; none without skin or skeleton.
func bone_matrices(instance: MeshInstance3D) -> Array[Transform3D]:
	var out: Array[Transform3D] = []
	var skeleton := instance.get_node_or_null(instance.skeleton) as Skeleton3D
	var skin := instance.skin
	for bind in (skin.get_bind_count() if skin and skeleton else 0):
		out.append(skeleton.get_bone_global_pose(bound_bone(skin, bind, skeleton))
				* skin.get_bind_pose(bind))
	return out


# A bind names its bone or numbers it.
func bound_bone(skin: Skin, bind: int, skeleton: Skeleton3D) -> int:
	var name := skin.get_bind_name(bind)
	return skeleton.find_bone(name) if name else skin.get_bind_bone(bind)


func skinned(points: PackedVector3Array, bones: PackedInt32Array, weights: PackedFloat32Array,
		matrices: Array[Transform3D]) -> PackedVector3Array:
	@warning_ignore("integer_division")
	var slots := bones.size() / points.size()
	var out := PackedVector3Array()
	out.resize(points.size())
	for vertex in points.size():
		var place := Vector3.ZERO
		for slot in range(vertex * slots, (vertex + 1) * slots):
			if weights[slot] > 0.0:
				place += weights[slot] * (matrices[bones[slot]] * points[vertex])
		out[vertex] = place
	return out


func mesh_seen(instance: MeshInstance3D, skeleton: Skeleton3D, positions: Dictionary) -> Dictionary:
	var mesh: ArrayMesh = instance.mesh
	var triangles := 0
	var materials := []
	for surface in mesh.get_surface_count():
		@warning_ignore("integer_division")
		triangles += mesh.surface_get_array_index_len(surface) / 3
		materials.append(material_seen(instance.get_active_material(surface)))
	return {
		"name": instance.name,
		"triangles": triangles,
		"joints": bound_bones(instance, skeleton),
		"morphs": morphs(mesh),
		"materials": materials,
		"positions": positions,
	}


# How many bones of the skeleton the mesh's skin binds.
func bound_bones(instance: MeshInstance3D, skeleton: Skeleton3D) -> int:
	if skeleton == null or instance.skin == null:
		return 0
	if instance.get_node_or_null(instance.skeleton) != skeleton:
		return 0
	var bones := {}
	for bind in instance.skin.get_bind_count():
		bones[bound_bone(instance.skin, bind, skeleton)] = true
	bones.erase(-1)
	return bones.size()


func morphs(mesh: ArrayMesh) -> Array:
	var reaches := []
	reaches.resize(mesh.get_blend_shape_count())
	reaches.fill(0.0)
	# Shapes are kept as whole meshes or as differences.
	var whole := mesh.blend_shape_mode == Mesh.BLEND_SHAPE_MODE_NORMALIZED
	for surface in mesh.get_surface_count():
		var base: PackedVector3Array = mesh.surface_get_arrays(surface)[Mesh.ARRAY_VERTEX]
		var shapes := mesh.surface_get_blend_shape_arrays(surface)
		for index in shapes.size():
			var points: PackedVector3Array = shapes[index][Mesh.ARRAY_VERTEX]
			var longest := 0.0
			for vertex in points.size():
				var delta := points[vertex] - base[vertex] if whole else points[vertex]
				longest = maxf(longest, delta.length_squared())
			reaches[index] = maxf(reaches[index], sqrt(longest))
	var out := []
	for index in reaches.size():
		out.append({"name": mesh.get_blend_shape_name(index), "reach": reaches[index]})
	return out


func material_seen(material: Material):
	if not material is BaseMaterial3D:
		return null
	# The file's colours are linear, Godot's are not.
	var colour: Color = material.albedo_color.srgb_to_linear()
	var textures := []
	for slot in SLOTS:
		var texture: Texture2D = material.get(SLOTS[slot])
		if texture == null:
			continue
		var image := texture.get_image()
		textures.append({
			"slot": slot,
			"width": texture.get_width(),
			"height": texture.get_height(),
			"pixels": image != null and image.get_data().count(0) < image.get_data_size(),
		})
	return {
		"name": material.resource_name,
		"baseColor": [colour.r, colour.g, colour.b, colour.a],
		"metallic": material.metallic,
		"roughness": material.roughness,
		"doubleSided": material.cull_mode == BaseMaterial3D.CULL_DISABLED,
		"textures": textures,
	}
