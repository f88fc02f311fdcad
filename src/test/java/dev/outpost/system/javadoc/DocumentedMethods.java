package dev.outpost.system.javadoc;

import com.sun.source.doctree.AttributeTree;
import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.SnippetTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.DocTreeScanner;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Reads the snippets in the Javadoc of main sources. */
final class DocumentedMethods {
    /** A reference to an example: the attributes of a snippet tag. */
    record Snippet(String file, String region) {}

    private DocumentedMethods() {}

    /**
     * Returns the snippets of all classes and methods that have any. A key is a class's qualified name, for a member with {@code #name}
     * behind it. Constructors are called {@code <init>}, and overloads share a key.
     */
    static Map<String, List<Snippet>> snippets(Path root) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        Map<String, List<Snippet>> found = new TreeMap<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null,
                    files,
                    null,
                    List.of("-proc:none", "-Xlint:none"),
                    null,
                    files.getJavaFileObjectsFromPaths(sourcesWithSnippets(root)));
            DocTrees trees = DocTrees.instance(task);
            for (CompilationUnitTree unit : task.parse()) {
                new Members(trees, unit.getPackageName().toString(), found).scan(unit, null);
            }
        }
        return found;
    }

    private static List<Path> sourcesWithSnippets(Path root) throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String module : List.of("api", "models", "provider-spi")) {
            try (Stream<Path> paths = Files.walk(root.resolve(module).resolve("src/main/java"))) {
                for (Path path :
                        paths.filter(path -> path.toString().endsWith(".java")).toList()) {
                    if (Files.readString(path).contains("{@snippet")) {
                        sources.add(path);
                    }
                }
            }
        }
        return sources;
    }

    private static final class Members extends TreePathScanner<Void, Void> {
        private final DocTrees trees;
        private final Map<String, List<Snippet>> found;
        private String type;

        Members(DocTrees trees, String packageName, Map<String, List<Snippet>> found) {
            this.trees = trees;
            this.type = packageName;
            this.found = found;
        }

        @Override
        public Void visitClass(ClassTree node, Void unused) {
            String outer = type;
            type = outer + "." + node.getSimpleName();
            read(type);
            super.visitClass(node, unused);
            type = outer;
            return null;
        }

        @Override
        public Void visitMethod(MethodTree node, Void unused) {
            read(type + "#" + node.getName());
            return null;
        }

        private void read(String member) {
            DocCommentTree comment = trees.getDocCommentTree(getCurrentPath());
            if (comment == null) {
                return;
            }
            new DocTreeScanner<Void, Void>() {
                @Override
                public Void visitSnippet(SnippetTree node, Void unused) {
                    found.computeIfAbsent(member, key -> new ArrayList<>())
                            .add(new Snippet(attribute(node, "file"), attribute(node, "region")));
                    return null;
                }
            }.scan(comment, null);
        }

        private static String attribute(SnippetTree snippet, String name) {
            for (DocTree each : snippet.getAttributes()) {
                if (each instanceof AttributeTree attribute
                        && attribute.getName().contentEquals(name)
                        && attribute.getValue() != null) {
                    return String.join(
                            "",
                            attribute.getValue().stream().map(Object::toString).toList());
                }
            }
            throw new IllegalArgumentException("a snippet without " + name + ": " + snippet);
        }
    }
}
