package dev.outpost.runtime.engine.cpu.generated;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The source of a class of loops over registers, without the formatter's line breaks. */
final class GeneratedClass {
    private static final String VECTORS = "jdk.incubator.vector.";

    private final String folder;
    private final String declaration;
    private final String description;
    private final List<String> methods = new ArrayList<>();

    /**
     * A class without methods.
     *
     * @param folder the package below that of the engine
     * @param declaration the modifiers and the name
     * @param description the text of the class's comment
     */
    GeneratedClass(String folder, String declaration, String description) {
        this.folder = folder;
        this.declaration = declaration;
        this.description = description;
    }

    GeneratedClass add(String method) {
        methods.add(method);
        return this;
    }

    String name() {
        return declaration.substring(declaration.lastIndexOf(' ') + 1);
    }

    /** The path of the file below the engine's folder. */
    String path() {
        return folder + "/" + name() + ".java";
    }

    String source(String lanes) {
        String body = String.join("\n", methods);
        return """
            package dev.outpost.runtime.engine.cpu.%s;

            %s

            /**
             * %s
             *
             * <p>This file is generated from the templates of {@code VectorLoopsTest}, which says how to write it again.
             */
            %s {
            private static final VectorSpecies<Float> SPECIES = VectorMath.SPECIES;
            private static final int %s = SPECIES.length();

            private %s() {}

            %s
            }
            """.formatted(
                        folder, imports(body), description.replace("\n", "\n * "), declaration, lanes, name(), body);
    }

    private static String imports(String body) {
        TreeSet<String> names = new TreeSet<>(List.of(VECTORS + "VectorSpecies"));
        Stream.of("FloatVector", "VectorMask", "VectorOperators")
                .filter(body::contains)
                .forEach(name -> names.add(VECTORS + name));
        names.add("dev.outpost.runtime.engine.cpu.vector.VectorMath");
        return names.stream().map(name -> "import " + name + ";").collect(Collectors.joining("\n"));
    }
}
