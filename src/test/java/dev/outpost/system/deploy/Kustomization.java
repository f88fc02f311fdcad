package dev.outpost.system.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The part of a {@code kustomization.yaml} that is used here. */
record Kustomization(
        String apiVersion,
        String kind,
        List<String> resources,
        List<String> components,
        List<Generator> configMapGenerator,
        GeneratorOptions generatorOptions,
        List<Labels> labels,
        List<Patch> patches) {

    static final String FILE = "kustomization.yaml";

    record Generator(String name, String namespace, String behavior, List<String> envs) {}

    record GeneratorOptions(boolean disableNameSuffixHash) {}

    record Labels(Map<String, String> pairs) {}

    record Patch(Target target, String patch) {
        List<Operation> operations() {
            return Manifests.parse(patch).stream()
                    .map(operation -> Manifests.model(operation, Operation.class))
                    .toList();
        }
    }

    /** One step of a JSON patch. */
    record Operation(String op, String path, JsonNode value) {}

    record Target(String kind, String name) {}

    Kustomization {
        resources = orEmpty(resources);
        components = orEmpty(components);
        configMapGenerator = orEmpty(configMapGenerator);
        labels = orEmpty(labels);
        patches = orEmpty(patches);
    }

    static Kustomization in(Path folder) {
        return Manifests.only(Kustomization.class, Manifests.read(folder.resolve(FILE)));
    }

    boolean isComponent() {
        return kind.equals("Component");
    }

    /** The files and folders that it names, in a folder of its own. */
    List<Path> references(Path folder) {
        Stream<String> settings = configMapGenerator.stream().flatMap(generator -> generator.envs().stream());
        return Stream.of(resources.stream(), components.stream(), settings)
                .flatMap(names -> names)
                .map(reference -> folder.resolve(reference).normalize())
                .toList();
    }

    /** The objects of its files, of the folders below it and of its components; what it generates is not among them, and nothing is patched. */
    static List<JsonNode> objects(Path folder) {
        List<JsonNode> objects = new ArrayList<>();
        Kustomization read = in(folder);
        for (String resource : Stream.concat(read.resources().stream(), read.components().stream())
                .toList()) {
            Path target = folder.resolve(resource).normalize();
            objects.addAll(Files.isDirectory(target) ? objects(target) : Manifests.read(target));
        }
        return objects;
    }

    private static <T> List<T> orEmpty(List<T> list) {
        return list == null ? List.of() : List.copyOf(list);
    }
}
