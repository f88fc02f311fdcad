package dev.outpost.house.source;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/** All Java sources of a tree, also of modules outside of the ordinary build. They are parsed and not compiled, which takes seconds. */
public record ParsedSources(List<SourceFile> files) {
    private static final Set<String> SKIPPED = Set.of("target", ".git", "docs");
    /** The most syntax trees in memory at once; the extracted data is much smaller. */
    private static final int BATCH = 200;

    /** Returns the paths of all sources, in order. */
    public static List<Path> paths(Path root) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return SKIPPED.contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                String name = file.getFileName().toString();
                if (name.endsWith(".java") && !name.equals("module-info.java")) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        found.sort(Comparator.naturalOrder());
        return found;
    }

    /** Reads the sources below a folder. */
    public static ParsedSources below(Path root) throws IOException {
        List<Path> paths = paths(root);
        List<SourceFile> files = new ArrayList<>();
        for (int start = 0; start < paths.size(); start += BATCH) {
            List<InMemorySource> texts = new ArrayList<>();
            for (Path path : paths.subList(start, Math.min(paths.size(), start + BATCH))) {
                texts.add(new InMemorySource(relative(root, path), Files.readString(path)));
            }
            files.addAll(parse(texts));
        }
        return new ParsedSources(List.copyOf(files));
    }

    private static String relative(Path root, Path path) {
        return root.relativize(path).toString().replace('\\', '/');
    }

    /** Parses sources; those with mistakes of syntax are refused. */
    public static List<SourceFile> parse(List<InMemorySource> texts) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        JavacTask task =
                (JavacTask) compiler.getTask(null, null, problems, List.of("-proc:none", "-Xlint:none"), null, texts);
        SourcePositions positions = Trees.instance(task).getSourcePositions();
        List<SourceFile> files = new ArrayList<>();
        // javac wraps the given source, and keeps its URI.
        Map<URI, InMemorySource> byAddress =
                texts.stream().collect(Collectors.toMap(InMemorySource::toUri, Function.identity()));
        for (CompilationUnitTree unit : task.parse()) {
            files.add(read(byAddress.get(unit.getSourceFile().toUri()), unit, positions));
        }
        for (Diagnostic<?> problem : problems.getDiagnostics()) {
            if (problem.getKind() == Diagnostic.Kind.ERROR) {
                throw new IOException("a source cannot be parsed: " + problem);
            }
        }
        return files;
    }

    private static SourceFile read(InMemorySource source, CompilationUnitTree unit, SourcePositions positions) {
        String text = source.text();
        NamePositions names = new NamePositions(positions, unit, text);
        return new SourceFile(
                source.path(),
                SourceFile.moduleOf(source.path()),
                unit.getPackageName() == null ? "" : unit.getPackageName().toString(),
                imports(unit),
                new DeclarationScanner(unit, names).declarations(),
                comments(text, unit));
    }

    private static Map<String, String> imports(CompilationUnitTree unit) {
        Map<String, String> packages = new HashMap<>();
        for (ImportTree each : unit.getImports()) {
            String name = each.getQualifiedIdentifier().toString();
            int dot = name.lastIndexOf('.');
            if (!each.isStatic() && dot > 0) {
                packages.put(name.substring(dot + 1), name.substring(0, dot));
            }
        }
        return packages;
    }

    private static List<Comment> comments(String text, CompilationUnitTree unit) {
        List<Comment> comments = new ArrayList<>();
        for (JavaToken token : JavaLexer.tokens(text)) {
            if (token.kind() == JavaToken.Kind.COMMENT) {
                int line = (int) unit.getLineMap().getLineNumber(token.start());
                for (String each : token.in(text).split("\n", -1)) {
                    comments.add(new Comment(each.strip(), line++));
                }
            }
        }
        return List.copyOf(comments);
    }
}
