package dev.outpost.house.rename;

import com.sun.source.tree.CompilationUnitTree;
import dev.outpost.house.source.CamelCase;
import dev.outpost.house.source.InMemorySource;
import dev.outpost.house.source.SourceFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import javax.lang.model.element.Element;
import javax.lang.model.element.PackageElement;
import javax.lang.model.element.TypeElement;

/**
 * One run over all sources: it resolves the names, edits, and resolves them once more. Each name must refer to the same declaration before
 * and after. Otherwise the run fails, or the variables of the affected source keep their names.
 */
final class RenameRun {
    private static final int MAX_LINES = 50;

    private final String classPath;
    private final AttributedSources before;
    private final RenamePlan plan;
    /** Changed sources by their old paths. */
    private final Map<String, InMemorySource> changed = new TreeMap<>();

    private RenameRun(List<InMemorySource> sources, List<RenameRow> rows, String classPath, boolean isSkipping)
            throws IOException {
        this.classPath = classPath;
        this.before = AttributedSources.of(sources, classPath);
        if (!before.mistakes().isEmpty()) {
            throw new RefusedRenameException("the sources do not compile:\n" + lines(before.mistakes()));
        }
        this.plan = RenamePlan.of(before, rows, isSkipping);
        ScopeCollisions.leaveOut(before, plan);
    }

    static RenameRun of(List<InMemorySource> all, List<RenameRow> rows, String classPath) throws IOException {
        return of(all, rows, classPath, false);
    }

    /** @param isSkipping true to leave out rows that cannot be followed, because the sources have changed since the rows were written */
    static RenameRun of(List<InMemorySource> all, List<RenameRow> rows, String classPath, boolean isSkipping)
            throws IOException {
        List<InMemorySource> sources = new RelevantNames(rows).reduce(all);
        RenameRun run = new RenameRun(sources, rows, classPath, isSkipping);
        run.edit();
        Map<String, String> differences = run.differences(sources);
        if (!differences.isEmpty()) {
            run.leaveOut(differences);
            run.edit();
            Map<String, String> others = run.differences(sources);
            if (!others.isEmpty()) {
                throw new RefusedRenameException("names would mean something else:\n" + lines(others.values()));
            }
        }
        return run;
    }

    private void edit() {
        changed.clear();
        Map<String, String> moved = moved();
        for (CompilationUnitTree unit : before.units()) {
            InMemorySource source = before.source(unit);
            Collection<TextEdit> edits = SymbolEdits.of(before, unit, plan);
            if (!edits.isEmpty() || moved.containsKey(source.path())) {
                String path = moved.getOrDefault(source.path(), source.path());
                changed.put(source.path(), new InMemorySource(path, TextEdit.apply(source.text(), edits)));
            }
        }
    }

    /** New paths of the sources that are named by a class. */
    private Map<String, String> moved() {
        Map<String, String> moved = new HashMap<>();
        plan.types().forEach((type, better) -> {
            CompilationUnitTree unit = before.trees().getPath(type).getCompilationUnit();
            String path = before.source(unit).path();
            String old = "/" + type.getSimpleName() + ".java";
            if (path.endsWith(old)) {
                moved.put(path, path.substring(0, path.length() - old.length()) + "/" + better + ".java");
            }
        });
        return moved;
    }

    /** Errors of the compiler and names that mean something else, by the old path of the source. */
    private Map<String, String> differences(List<InMemorySource> sources) throws IOException {
        if (changed.isEmpty()) {
            return Map.of();
        }
        Map<String, String> oldPaths = new HashMap<>();
        changed.forEach((old, source) -> oldPaths.put(source.path(), old));
        UnaryOperator<String> oldPath = path -> oldPaths.getOrDefault(path, path);
        List<InMemorySource> edited = sources.stream()
                .map(source -> changed.getOrDefault(source.path(), source))
                .toList();
        SymbolBindings meant = SymbolBindings.of(before, UnaryOperator.identity());
        AttributedSources after = AttributedSources.of(edited, classPath);
        Map<String, String> differences = new TreeMap<>();
        after.mistakes().forEach(mistake -> differences.put(oldPath.apply(mistake.path()), mistake.toString()));
        if (differences.isEmpty()) {
            differences.putAll(meant.differences(SymbolBindings.of(after, oldPath)));
        }
        return differences;
    }

    private void leaveOut(Map<String, String> differences) {
        List<Element> left = plan.optional().stream()
                .filter(element -> differences.containsKey(pathOf(element)))
                .toList();
        if (left.isEmpty()) {
            throw new RefusedRenameException("names would mean something else:\n" + lines(differences.values()));
        }
        left.forEach(element -> plan.leaveOut(
                element, pathOf(element) + ": " + element + " stays, since " + differences.get(pathOf(element))));
    }

    private String pathOf(Element element) {
        Element type = element;
        while (!(type.getEnclosingElement() instanceof PackageElement)) {
            type = type.getEnclosingElement();
        }
        return before.source(before.trees().getPath(type).getCompilationUnit()).path();
    }

    private static String lines(Collection<?> all) {
        List<String> lines = new ArrayList<>();
        all.stream().limit(MAX_LINES).forEach(each -> lines.add("  " + each));
        return String.join("\n", lines);
    }

    Map<String, InMemorySource> changed() {
        return changed;
    }

    RenamePlan plan() {
        return plan;
    }

    AttributedSources before() {
        return before;
    }

    /** Classes of the module whose names contain the old name of a class: perhaps they should be renamed, too. */
    List<String> related() {
        List<String> related = new ArrayList<>();
        for (TypeElement type : plan.allTypes()) {
            for (Map.Entry<TypeElement, String> renamed : plan.types().entrySet()) {
                String old = renamed.getKey().getSimpleName().toString();
                if (CamelCase.replace(type.getSimpleName().toString(), old, "").isPresent()
                        && SourceFile.moduleOf(pathOf(type)).equals(SourceFile.moduleOf(pathOf(renamed.getKey())))
                        && !plan.types().containsKey(type)) {
                    related.add(type.getQualifiedName() + " is named by " + old + ", now " + renamed.getValue());
                }
            }
        }
        return related;
    }

    /** The old simple names of classes. */
    Set<String> oldNames() {
        Set<String> names = new TreeSet<>();
        plan.types().keySet().forEach(type -> names.add(type.getSimpleName().toString()));
        return names;
    }
}
