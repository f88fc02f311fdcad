package dev.outpost.house.source;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The facts about a source that the rules need.
 *
 * @param path relative to the root, with slashes
 * @param module the folder of its module, such as {@code gpu-runtime/core}
 * @param imports the packages of imported types, by simple name
 */
public record SourceFile(
        String path,
        String module,
        String packageName,
        Map<String, String> imports,
        List<Declaration> declarations,
        List<Comment> comments) {
    private static final String SYSTEM_TESTS = "src/test";

    /** Returns the module of a path. */
    public static String moduleOf(String path) {
        int end = path.indexOf("/src/");
        return end < 0 ? SYSTEM_TESTS : path.substring(0, end);
    }

    /** Returns the declarations of one kind. */
    public Stream<Declaration> declared(Declaration.Kind kind) {
        return declarations.stream().filter(declaration -> declaration.kind() == kind);
    }

    /** Returns the package in which a simple name of this source is declared, if it is imported; else the source's own package. */
    public String packageOf(String simpleName) {
        return imports.getOrDefault(simpleName, packageName);
    }
}
