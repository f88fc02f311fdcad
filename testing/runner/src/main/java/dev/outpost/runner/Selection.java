package dev.outpost.runner;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The tests to run.
 *
 * @param everything true if no test is left out
 * @param modules modules to build with all their dependencies; meaningless if {@code everything} is true
 * @param tests classes and methods in Surefire's syntax
 * @param named true if each method was named, so that its tags do not exclude it
 */
record Selection(boolean everything, Set<BuildModule> modules, List<String> tests, boolean named) {
    private static final int MAX_SUGGESTIONS = 5;
    /** The module with the tests of pages, scripts, manifests and clusters. */
    private static final String SYSTEM_TESTS = "src/test";
    /** A test of this module reads the sources of all modules. */
    private static final String NAMES = "testing/house";

    static Selection of(RunnerOptions options, Modules modules, Path root) throws IOException, InterruptedException {
        if (options.changed()) {
            return ofModules(changed(modules, Changes.since(root, options.since())));
        }
        if (options.realCluster() && options.names().isEmpty()) {
            return ofNames(List.of(SYSTEM_TESTS), modules);
        }
        return options.names().isEmpty()
                ? new Selection(true, Set.of(), List.of(), false)
                : ofNames(options.names(), modules);
    }

    boolean isEmpty() {
        return !everything && tests.isEmpty();
    }

    /** Returns the modules whose tests run, in the build's order. */
    List<BuildModule> testedModules(Modules all) {
        return all.all().stream()
                .filter(module -> !module.classes().isEmpty())
                .filter(module -> everything ? module.profile().isEmpty() : modules.contains(module))
                .toList();
    }

    static Set<BuildModule> changed(Modules modules, List<String> files) {
        Set<BuildModule> changed = new LinkedHashSet<>();
        for (String file : files) {
            if (file.equals("pom.xml") || file.startsWith(".mvn/")) {
                return new LinkedHashSet<>(modules.all());
            }
            modules.owner(file).or(() -> modules.named(SYSTEM_TESTS)).ifPresent(changed::add);
            if (file.endsWith(".java")) {
                modules.named(NAMES).ifPresent(changed::add);
            }
        }
        return modules.withDependents(changed).stream()
                .filter(module -> module.profile().isEmpty())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static Selection ofModules(Set<BuildModule> modules) {
        List<String> tests =
                modules.stream().flatMap(module -> module.classes().stream()).toList();
        return new Selection(false, modules, tests, false);
    }

    private static Selection ofNames(List<String> names, Modules modules) {
        Set<BuildModule> chosen = new LinkedHashSet<>();
        List<String> tests = new ArrayList<>();
        for (String name : names) {
            BuildModule module = modules.named(name).orElse(null);
            if (module != null) {
                chosen.add(module);
                tests.addAll(module.classes());
            } else {
                addClasses(name, modules, chosen, tests);
            }
        }
        boolean named = tests.stream().allMatch(test -> test.contains("#"));
        return new Selection(false, chosen, tests, named);
    }

    /** A class by its full or simple name, with stars; a method follows a dot or "#". */
    private static void addClasses(String name, Modules modules, Set<BuildModule> chosen, List<String> tests) {
        if (addClasses(name, "", modules, chosen, tests)) {
            return;
        }
        int end = Math.max(name.lastIndexOf('#'), name.lastIndexOf('.'));
        if (end < 0 || !addClasses(name.substring(0, end), "#" + name.substring(end + 1), modules, chosen, tests)) {
            throw new UsageException("no module, class or method is called " + name + suggestions(name, modules));
        }
    }

    private static boolean addClasses(
            String name, String method, Modules modules, Set<BuildModule> chosen, List<String> tests) {
        Pattern wanted = Pattern.compile("(.*\\.)?" + Pattern.quote(name).replace("*", "\\E[^.]*\\Q"));
        boolean found = false;
        for (BuildModule module : modules.all()) {
            for (String type : module.classes()) {
                if (wanted.matcher(type).matches()) {
                    chosen.add(module);
                    tests.add(type + method);
                    found = true;
                }
            }
        }
        return found;
    }

    private static String suggestions(String name, Modules modules) {
        String part = name.replaceFirst("[#.].*", "").replace("Test", "").toLowerCase(Locale.ROOT);
        List<String> similar = modules.all().stream()
                .flatMap(module -> Stream.concat(Stream.of(module.path()), module.classes().stream()))
                .filter(each -> each.toLowerCase(Locale.ROOT).contains(part))
                .limit(MAX_SUGGESTIONS)
                .toList();
        return similar.isEmpty() ? "" : "; similar: " + String.join(", ", similar);
    }
}
