package dev.outpost.house.rename;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import dev.outpost.house.source.InMemorySource;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;

/**
 * Sources without the bodies of their methods. Other sources can still use them, and javac needs a fraction of the time. Constructors and
 * initializers stay, because they assign final fields.
 */
final class MethodStubs {
    private static final String BODY = "{ throw null; }";

    private MethodStubs() {}

    static List<InMemorySource> of(List<InMemorySource> sources) throws IOException {
        if (sources.isEmpty()) {
            return List.of();
        }
        Map<URI, InMemorySource> byAddress =
                sources.stream().collect(Collectors.toMap(InMemorySource::toUri, Function.identity()));
        JavacTask task = (JavacTask) ToolProvider.getSystemJavaCompiler()
                .getTask(null, null, problem -> {}, List.of("-proc:none", "-Xlint:none"), null, sources);
        SourcePositions positions = Trees.instance(task).getSourcePositions();
        List<InMemorySource> stubs = new ArrayList<>();
        for (CompilationUnitTree unit : task.parse()) {
            InMemorySource source = byAddress.get(unit.getSourceFile().toUri());
            List<TextEdit> bodies = bodies(unit, positions);
            stubs.add(new InMemorySource(source.path(), TextEdit.apply(source.text(), bodies)));
        }
        return stubs;
    }

    private static List<TextEdit> bodies(CompilationUnitTree unit, SourcePositions positions) {
        List<TextEdit> bodies = new ArrayList<>();
        new TreeScanner<Void, Void>() {
            @Override
            public Void visitMethod(MethodTree method, Void none) {
                if (method.getBody() == null || method.getName().contentEquals("<init>")) {
                    return super.visitMethod(method, none);
                }
                bodies.add(new TextEdit(
                        (int) positions.getStartPosition(unit, method.getBody()),
                        (int) positions.getEndPosition(unit, method.getBody()),
                        BODY));
                return null;
            }
        }.scan(unit, null);
        return bodies;
    }
}
