package dev.outpost.runner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.w3c.dom.Element;

/** The modules of the build, as the pom.xml files describe them. */
record Modules(List<BuildModule> all) {
    private static final String GROUP = "dev.outpost";
    /** Modules of this profile are packed, and have no tests. */
    private static final String PUBLISHING = "publish";

    static Modules read(Path root) throws IOException {
        Element project = Xml.read(root.resolve("pom.xml"));
        List<BuildModule> found = new ArrayList<>();
        for (String path : paths(project)) {
            found.add(module(root, path, ""));
        }
        for (Element profile : Xml.descend(project, "profiles", "profile")) {
            String id = Xml.text(profile, "id");
            if (!id.equals(PUBLISHING)) {
                for (String path : paths(profile)) {
                    found.add(module(root, path, id));
                }
            }
        }
        return new Modules(List.copyOf(found));
    }

    private static List<String> paths(Element owner) {
        return Xml.descend(owner, "modules", "module").stream()
                .map(module -> module.getTextContent().strip())
                .toList();
    }

    private static BuildModule module(Path root, String path, String profile) throws IOException {
        Element project = Xml.read(root.resolve(path).resolve("pom.xml"));
        Set<String> dependencies = Xml.descend(project, "dependencies", "dependency").stream()
                .filter(dependency -> Xml.text(dependency, "groupId").equals(GROUP))
                .map(dependency -> Xml.text(dependency, "artifactId"))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        Path tests = root.resolve(path).resolve(testFolder(project));
        return new BuildModule(path, Xml.text(project, "artifactId"), dependencies, profile, tests, classes(tests));
    }

    private static String testFolder(Element project) {
        return Xml.child(project, "build")
                .map(build -> Xml.text(build, "testSourceDirectory"))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> folder.replace("${project.basedir}/", ""))
                .orElse("src/test/java");
    }

    private static List<String> classes(Path tests) throws IOException {
        if (!Files.isDirectory(tests)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(tests)) {
            return files.filter(file -> file.getFileName().toString().endsWith("Test.java"))
                    .map(file -> tests.relativize(file).toString())
                    .map(file ->
                            file.substring(0, file.length() - ".java".length()).replace('/', '.'))
                    .sorted()
                    .toList();
        }
    }

    /** Finds a module by its path, the last part of its path, or its artifact; null if there is none. */
    Optional<BuildModule> named(String name) {
        String path = name.endsWith("/") ? name.substring(0, name.length() - 1) : name;
        return first(module -> module.path().equals(path) || module.artifact().equals(path))
                .or(() -> first(module -> module.path().endsWith("/" + path)));
    }

    private Optional<BuildModule> first(java.util.function.Predicate<BuildModule> condition) {
        return all.stream().filter(condition).findFirst();
    }

    /** Returns the module of a file, whose path is relative to the root. */
    Optional<BuildModule> owner(String file) {
        return all.stream()
                .filter(module -> file.startsWith(module.path() + "/"))
                .max(Comparator.comparingInt(module -> module.path().length()));
    }

    /** Returns the modules, and all modules that depend on them. */
    Set<BuildModule> withDependents(Set<BuildModule> changed) {
        Set<BuildModule> reached = new LinkedHashSet<>(changed);
        boolean grew = true;
        while (grew) {
            Set<String> artifacts = reached.stream().map(BuildModule::artifact).collect(Collectors.toSet());
            grew = reached.addAll(all.stream()
                    .filter(module -> module.dependencies().stream().anyMatch(artifacts::contains))
                    .toList());
        }
        return reached;
    }
}
