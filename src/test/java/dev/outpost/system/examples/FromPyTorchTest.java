package dev.outpost.system.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code in docs/from-pytorch.md compiles. */
class FromPyTorchTest {
    private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    /** The second column of the table: one piece of code or several. */
    private static final Pattern ROW = Pattern.compile("^\\| `.*` \\| (`.*) \\|$", Pattern.MULTILINE);

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final String GIVEN =
            "RemoteMachine machine, Tensor x, Sequential model, Sequential head," + " Embedding embedding";

    @TempDir
    private Path folder;

    /** Without the table of names, which are no code. */
    private static String page() throws IOException {
        String page = Files.readString(Path.of("../../docs/from-pytorch.md"));
        return page.substring(0, page.indexOf("## Names"));
    }

    /** The messages of the compiler; none if all is well. */
    private String compiled(String source) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        JavaFileObject file = new SimpleJavaFileObject(URI.create("string:///Page.java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return source;
            }
        };
        StringWriter problems = new StringWriter();
        List<String> options = List.of("-proc:none", "-Xlint:-options", "-d", folder.toString());
        compiler.getTask(problems, null, null, options, null, List.of(file)).call();
        return problems.toString();
    }

    private static List<String> blocks(String page) {
        List<String> blocks = new ArrayList<>();
        Matcher matcher = BLOCK.matcher(page);
        while (matcher.find()) {
            blocks.add(matcher.group(1));
        }
        return blocks;
    }

    private static Stream<String> expressions(String page) {
        return ROW.matcher(page)
                .results()
                .flatMap(row -> CODE.matcher(row.group(1)).results().map(code -> code.group(1)));
    }

    @Test
    void blocksAndExpressionsCompile() throws IOException {
        List<String> blocks = blocks(page());
        StringBuilder source = new StringBuilder(blocks.getFirst())
                .append("import dev.outpost.io.*;\nimport dev.outpost.types.*;\nimport java.nio.file.Path;\n")
                .append("import java.io.File;\nimport java.nio.FloatBuffer;\nimport java.util.List;\n")
                .append("import java.util.Map;\nimport javax.imageio.ImageIO;\nclass Page {\n    Module named;\n");
        for (int i = 1; i < blocks.size(); i++) {
            source.append("static void block" + i + "(" + GIVEN + ") throws Exception {\n" + blocks.get(i) + "}\n");
        }
        List<String> expressions = expressions(page()).toList();
        assertTrue(expressions.size() > 10, expressions.toString());
        for (int i = 0; i < expressions.size(); i++) {
            source.append("static Object expression" + i + "(" + GIVEN + ") { return " + expressions.get(i) + "; }\n");
        }
        assertEquals("", compiled(source.append("}\n").toString()));
    }

    @Test
    void withoutTheSingleImportAModuleIsAmbiguous() {
        String problems = compiled("import dev.outpost.nn.*;\nclass Page { Module named; }\n");
        assertTrue(problems.contains("reference to Module is ambiguous"), problems);
    }
}
