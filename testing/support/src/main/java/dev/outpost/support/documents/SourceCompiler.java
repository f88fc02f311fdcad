package dev.outpost.support.documents;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles sources with the class path of this JVM. */
public final class SourceCompiler {
    private SourceCompiler() {}

    /**
     * Compiles files together.
     *
     * @param classes the folder for the classes
     * @return the messages of the compiler; empty if all is well
     */
    public static String compile(List<Path> sources, Path classes) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter problems = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            compiler.getTask(
                            problems,
                            files,
                            null,
                            List.of("-proc:none", "-Xlint:-options", "-d", classes.toString()),
                            null,
                            files.getJavaFileObjectsFromPaths(sources))
                    .call();
        }
        return problems.toString();
    }
}
