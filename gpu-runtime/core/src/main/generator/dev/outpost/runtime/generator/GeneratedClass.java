package dev.outpost.runtime.generator;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The source of a class that has only static methods. */
final class GeneratedClass {
    private static final String ENGINE = "dev.outpost.runtime.engine.cpu.";
    private static final List<String> IMPORTABLE = List.of(
            ENGINE + "code.ScalarMath",
            ENGINE + "vector.FloatMath",
            ENGINE + "vector.VectorMath",
            "jdk.incubator.vector.FloatVector",
            "jdk.incubator.vector.VectorMask",
            "jdk.incubator.vector.VectorOperators",
            "jdk.incubator.vector.VectorSpecies");

    private final String folder;
    private final String declaration;
    private final String description;
    private final List<String> members = new ArrayList<>();

    /**
     * Creates a class without members.
     *
     * @param folder the package below that of the engine
     * @param declaration the modifiers and the name
     * @param description the text of the class comment
     */
    GeneratedClass(String folder, String declaration, String description) {
        this.folder = folder;
        this.declaration = declaration;
        this.description = description;
    }

    GeneratedClass add(String member) {
        members.add(member);
        return this;
    }

    /** Adds the constants for loops over whole registers. */
    GeneratedClass addSpecies(String lanes) {
        return add("""
            private static final VectorSpecies<Float> SPECIES = VectorMath.SPECIES;
            private static final int %s = SPECIES.length();
            """.formatted(lanes));
    }

    private String name() {
        return declaration.substring(declaration.lastIndexOf(' ') + 1);
    }

    String path() {
        return (ENGINE + folder + "." + name()).replace('.', '/') + ".java";
    }

    String source() {
        String body = members.stream().map(member -> "\n" + member.indent(4)).collect(Collectors.joining());
        return """
            package %s%s;
            %s
            /**
             * %s
             */
            %s {
                private %s() {}
            %s}
            """.formatted(
                        ENGINE, folder, imports(body), description.replace("\n", "\n * "), declaration, name(), body)
                .replaceAll(" +\n", "\n");
    }

    private static String imports(String body) {
        return IMPORTABLE.stream()
                .filter(type -> body.contains(type.substring(type.lastIndexOf('.') + 1)))
                .map(type -> "import " + type + ";\n")
                .collect(Collectors.joining("", "\n", ""));
    }
}
