package dev.outpost.system.documents;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Writes the settings of an interface that is a {@code ConfigMapping} as a table: name, default, comment of the method. */
final class SettingsTable {
    private final CompilationUnitTree unit;
    private final DocTrees trees;
    private final Map<String, ClassTree> groups = new HashMap<>();
    private final StringBuilder rows = new StringBuilder("| setting | default | meaning |\n|---|---|---|\n");

    private SettingsTable(CompilationUnitTree unit, DocTrees trees) {
        this.unit = unit;
        this.trees = trees;
    }

    static String of(Path source) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask)
                    compiler.getTask(null, files, null, List.of("-proc:none"), null, files.getJavaFileObjects(source));
            CompilationUnitTree unit = task.parse().iterator().next();
            SettingsTable table = new SettingsTable(unit, DocTrees.instance(task));
            ClassTree mapping = (ClassTree) unit.getTypeDecls().getFirst();
            table.collectGroups(mapping);
            table.addRows(prefix(mapping), mapping);
            return table.rows.toString();
        }
    }

    private void collectGroups(ClassTree type) {
        for (Tree member : type.getMembers()) {
            if (member instanceof ClassTree group) {
                groups.put(group.getSimpleName().toString(), group);
                collectGroups(group);
            }
        }
    }

    private static String prefix(ClassTree mapping) {
        return value(mapping.getModifiers().getAnnotations(), "ConfigMapping").orElseThrow();
    }

    private static Optional<String> value(List<? extends AnnotationTree> annotations, String name) {
        return annotations.stream()
                .filter(annotation -> annotation.getAnnotationType().toString().equals(name))
                .map(annotation -> annotation.getArguments().getFirst())
                .map(argument -> argument instanceof AssignmentTree assignment ? assignment.getExpression() : argument)
                .map(literal -> ((LiteralTree) literal).getValue().toString())
                .findFirst();
    }

    private void addRows(String prefix, ClassTree group) {
        for (Tree member : group.getMembers()) {
            if (member instanceof MethodTree method && method.getBody() == null) {
                String name = prefix + "." + dashed(method.getName().toString());
                ClassTree nested = groups.get(method.getReturnType().toString());
                if (nested == null) {
                    addRow(name, method);
                } else {
                    addRows(name, nested);
                }
            }
        }
    }

    private void addRow(String name, MethodTree method) {
        String standard = value(method.getModifiers().getAnnotations(), "WithDefault")
                .map(text -> "`" + text + "`")
                .orElse("");
        String comment = trees.getDocComment(TreePath.getPath(unit, method));
        rows.append("| `%s` | %s | %s |\n".formatted(name, standard, comment == null ? "" : text(comment)));
    }

    private static String text(String comment) {
        return comment.replaceAll("\\s+", " ")
                .strip()
                .replaceAll("\\{@code ([^}]*)}", "`$1`")
                .replaceAll("\\{@link(?:plain)? #(\\w+)}", "`$1`")
                .replaceAll("\\{@link(?:plain)? [\\w.#()]+ ([^}]*)}", "$1")
                .replaceAll("\\{@link(?:plain)? (\\w+)}", "`$1`")
                .replaceAll("</?p>", "")
                .replace("|", "\\|");
    }

    private static String dashed(String name) {
        return name.replaceAll("(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
    }
}
