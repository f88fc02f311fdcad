package dev.outpost.house.rename;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import dev.outpost.house.source.InMemorySource;
import dev.outpost.house.source.NamePositions;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.lang.model.util.Elements;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/** Sources whose names javac has resolved, all in one run, so that a class has the same symbol everywhere. */
final class AttributedSources {
    private final Map<URI, InMemorySource> texts = new HashMap<>();
    private final List<CompilationUnitTree> units = new ArrayList<>();
    private final List<Mistake> mistakes = new ArrayList<>();
    private final DocTrees trees;
    private final Elements elements;

    /** An error of the compiler. */
    record Mistake(String path, long line, String text) {
        @Override
        public String toString() {
            return path + ":" + line + ": " + text;
        }
    }

    private AttributedSources(JavacTask task) {
        this.trees = DocTrees.instance(task);
        this.elements = task.getElements();
    }

    static AttributedSources of(List<InMemorySource> sources, String classPath) throws IOException {
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        List<String> options = List.of(
                "-proc:none",
                "-Xlint:none",
                "-implicit:none",
                "-XDrawDiagnostics=false",
                "-Xmaxerrs",
                "10000",
                "--add-modules",
                "jdk.incubator.vector",
                "-classpath",
                classPath);
        JavacTask task =
                (JavacTask) ToolProvider.getSystemJavaCompiler().getTask(null, null, problems, options, null, sources);
        AttributedSources attributed = new AttributedSources(task);
        sources.forEach(source -> attributed.texts.put(source.toUri(), source));
        task.parse().forEach(attributed.units::add);
        task.analyze();
        problems.getDiagnostics().stream()
                .filter(problem -> problem.getKind() == Diagnostic.Kind.ERROR)
                .forEach(attributed::add);
        return attributed;
    }

    private void add(Diagnostic<? extends JavaFileObject> problem) {
        String path = problem.getSource() == null
                ? ""
                : texts.get(problem.getSource().toUri()).path();
        mistakes.add(new Mistake(path, problem.getLineNumber(), problem.getMessage(null)));
    }

    List<Mistake> mistakes() {
        return mistakes;
    }

    List<CompilationUnitTree> units() {
        return units;
    }

    DocTrees trees() {
        return trees;
    }

    Elements elements() {
        return elements;
    }

    InMemorySource source(CompilationUnitTree unit) {
        return texts.get(unit.getSourceFile().toUri());
    }

    NamePositions names(CompilationUnitTree unit) {
        return new NamePositions(trees.getSourcePositions(), unit, source(unit).text());
    }
}
