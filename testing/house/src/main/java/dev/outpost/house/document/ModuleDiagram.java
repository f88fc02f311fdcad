package dev.outpost.house.document;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Draws the modules, their main packages and their dependencies as a Mermaid flowchart. */
final class ModuleDiagram {
    private static final int LINE = 44;

    private final List<ProjectModule> modules;
    private final Map<String, ProjectModule> byFolder;

    ModuleDiagram(List<ProjectModule> modules) {
        this.modules = modules;
        this.byFolder = modules.stream().collect(Collectors.toMap(ProjectModule::folder, Function.identity()));
    }

    /** Returns the text of the flowchart. A dependency that follows from others is left out. */
    String text() {
        StringBuilder text = new StringBuilder("flowchart BT\n");
        for (ProjectModule module : modules) {
            text.append("    %s[\"<b>%s</b><br/>%s\"]%n"
                    .formatted(id(module.folder()), module.folder(), label(module.packages())));
        }
        for (ProjectModule module : modules) {
            for (String target : reduced(module.imports())) {
                text.append("    %s --> %s%n".formatted(id(module.folder()), id(target)));
            }
            for (String target : module.loads()) {
                text.append("    %s -.-> %s%n".formatted(id(module.folder()), id(target)));
            }
        }
        return text.toString();
    }

    private static String id(String folder) {
        return folder.replace('/', '_').replace('-', '_');
    }

    private Set<String> reduced(Set<String> imports) {
        Set<String> implied = new TreeSet<>();
        imports.forEach(folder -> addImports(folder, implied));
        Set<String> reduced = new TreeSet<>(imports);
        reduced.removeAll(implied);
        return reduced;
    }

    private void addImports(String folder, Set<String> found) {
        for (String each : byFolder.get(folder).imports()) {
            if (found.add(each)) {
                addImports(each, found);
            }
        }
    }

    /** The common package, then the packages one level below it. */
    private static String label(Set<String> packages) {
        String common = packages.stream().reduce(ModuleDiagram::commonPackage).orElseThrow();
        StringBuilder label = new StringBuilder(common);
        int lineLength = LINE;
        for (String name : mainPackages(packages, common)) {
            boolean isNewLine = lineLength + name.length() > LINE;
            label.append(isNewLine ? "<br/>" : " ").append(name);
            lineLength = isNewLine ? name.length() : lineLength + 1 + name.length();
        }
        return label.toString();
    }

    /** Returns the names below the common package, without those below another one. */
    private static Set<String> mainPackages(Set<String> packages, String common) {
        Set<String> names = packages.stream()
                .filter(name -> !name.equals(common))
                .map(name -> name.substring(common.length() + 1))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> main = new TreeSet<>(names);
        main.removeIf(name -> names.stream().anyMatch(other -> name.startsWith(other + ".")));
        return main;
    }

    private static String commonPackage(String first, String second) {
        String common = first;
        while (!(second + ".").startsWith(common + ".")) {
            common = common.substring(0, common.lastIndexOf('.'));
        }
        return common;
    }
}
