package dev.outpost.system.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The expressions in the tables of docs/from-pytorch.md compile with the imports of the page. */
class FromPyTorchTest {
    private static final Pattern IMPORT = Pattern.compile("^(import [\\w.*]+;)", Pattern.MULTILINE);
    /** The second column of the table: one piece of code or several, and words between them. */
    private static final Pattern ROW = Pattern.compile("^\\| `.*` \\| (`.*) \\|$", Pattern.MULTILINE);

    private static final Pattern CODE = Pattern.compile("`([^`]+\\)(?:\\.[^`]+)?)`");

    @TempDir
    private Path folder;

    /** The page without the tables of names, which are no expressions. */
    private static String page() throws IOException {
        String page = Files.readString(Path.of("../../docs/from-pytorch.md"));
        return page.substring(0, page.indexOf("## Names"));
    }

    private static Stream<String> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(match -> match.group(1));
    }

    private static List<String> expressions(String page) {
        return matches(ROW, page).flatMap(column -> matches(CODE, column)).toList();
    }

    private static String source(String page) {
        StringBuilder source = new StringBuilder("import java.util.List;\n");
        matches(IMPORT, page).distinct().forEach(name -> source.append(name).append("\n"));
        source.append("class Expressions {\n");
        int methods = 0;
        for (String expression : expressions(page)) {
            source.append("static Object expression%d(RemoteMachine machine, Tensor x) { return %s; }\n"
                    .formatted(++methods, expression));
        }
        return source.append("}\n").toString();
    }

    /** The messages of the compiler; none if all is well. */
    private String compiled(String name, String source) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter problems = new StringWriter();
        List<String> options = List.of("-proc:none", "-Xlint:-options", "-d", folder.toString());
        URI uri = URI.create("string:///" + name + ".java");
        JavaFileObject file = new SimpleJavaFileObject(uri, JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return source;
            }
        };
        compiler.getTask(problems, null, null, options, null, List.of(file)).call();
        return problems.toString();
    }

    @Test
    void expressionsCompileWithTheImportsOfThePage() throws IOException {
        String page = page();
        assertTrue(expressions(page).size() > 30, () -> "the tables have " + expressions(page));
        assertEquals("", compiled("Expressions", source(page)));
    }

    @Test
    void withoutTheSingleImportAModuleIsAmbiguous() {
        String problems = compiled("Section", "import dev.outpost.nn.*;\nclass Section { Module named; }\n");
        assertTrue(problems.contains("reference to Module is ambiguous"), problems);
    }
}
