package dev.outpost.system.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** That the parts of a kustomization fit together, without the tool that puts them together. */
@Tag("quick")
class KustomizationTest {
    static Stream<Path> folders() {
        return DeployFolder.kustomizations().stream().map(Path::getParent);
    }

    @ParameterizedTest
    @MethodSource("folders")
    void namedFilesExist(Path folder) {
        Kustomization.in(folder)
                .references(folder)
                .forEach(target -> assertTrue(
                        Files.isRegularFile(target) || Files.exists(target.resolve(Kustomization.FILE)),
                        () -> folder + " names " + target));
    }

    @Test
    void everyFileIsUsed() {
        Set<Path> named = folders()
                .flatMap(folder -> Kustomization.in(folder).references(folder).stream())
                .collect(Collectors.toSet());
        Stream.concat(DeployFolder.yaml().stream(), DeployFolder.settings().stream())
                .filter(file -> !file.endsWith(Kustomization.FILE))
                .forEach(file -> assertTrue(named.contains(file), () -> "nothing names " + file));
    }

    /** A component patches what it has itself, or what it is put upon. */
    @ParameterizedTest
    @MethodSource("folders")
    void patchedObjectsExist(Path folder) {
        Kustomization kustomization = Kustomization.in(folder);
        List<JsonNode> objects = new ArrayList<>(Kustomization.objects(folder));
        if (kustomization.isComponent()) {
            ManifestsTest.objects().forEach(objects::add);
        }
        for (Kustomization.Patch patch : kustomization.patches()) {
            assertTrue(objects.stream().anyMatch(object -> isTarget(object, patch.target())), patch::toString);
        }
    }

    private static boolean isTarget(JsonNode object, Kustomization.Target target) {
        return object.path("kind").asText().equals(target.kind())
                && object.path("metadata").path("name").asText().matches(target.name());
    }

    /** Pods of clients name the ConfigMap, so it must not change its name with its content. */
    @ParameterizedTest
    @MethodSource("folders")
    void settingsGoIntoOneConfigMap(Path folder) {
        Kustomization kustomization = Kustomization.in(folder);
        boolean isBase = folder.equals(DeployFolder.BASE);
        for (Kustomization.Generator generator : kustomization.configMapGenerator()) {
            assertEquals("outpost-client", generator.name());
            assertEquals("outpost", generator.namespace());
            assertEquals(isBase ? null : "merge", generator.behavior());
            assertTrue(kustomization.generatorOptions().disableNameSuffixHash());
        }
    }

    @ParameterizedTest
    @MethodSource("folders")
    void readMeNamesEveryKustomization(Path folder) {
        String name = DeployFolder.ROOT.relativize(folder).toString();
        assertFalse(name.isEmpty());
        assertTrue(DeployFolder.read(DeployFolder.ROOT.resolve("README.md")).contains(name), name);
    }
}
