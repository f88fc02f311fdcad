package dev.outpost.system.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code in docs/from-pytorch.md compiles with the imports that the page lists, and with those that its section adds. */
class FromPyTorchTest {
    private static final Pattern SECTION = Pattern.compile("^## ", Pattern.MULTILINE);
    private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern IMPORT =
            Pattern.compile("^import (?:static )?([\\w.]+(?:\\.\\*)?);", Pattern.MULTILINE);
    /** The second column of the table: one piece of code or several. */
    private static final Pattern ROW = Pattern.compile("^\\| `.*` \\| (`.*) \\|$", Pattern.MULTILINE);

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern VARIABLE = Pattern.compile("`([A-Z]\\w* [a-z]\\w*)`");

    @TempDir
    private Path folder;

    /** Its sections without the table of names, which is not code. The first section lists the imports and the variables of all code. */
    private static List<String> sections() throws IOException {
        String page = Files.readString(Path.of("../../docs/from-pytorch.md"));
        List<String> sections = SECTION.splitAsStream(page.substring(0, page.indexOf("## Names")))
                .skip(1)
                .toList();
        assertTrue(sections.getFirst().startsWith("Imports\n"), sections.getFirst());
        return sections;
    }

    private static Set<String> imports(String text) {
        return matches(IMPORT, text).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static Stream<String> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(match -> match.group(1));
    }

    private static String source(int number, String section, String list) {
        Set<String> imports = imports(list);
        imports.addAll(imports(section));
        StringBuilder source = new StringBuilder();
        imports.forEach(name -> source.append("import ").append(name).append(";\n"));
        source.append("class Section").append(number).append(" {\n");
        String variables = matches(VARIABLE, list).collect(Collectors.joining(", "));
        int methods = 0;
        for (String block : matches(BLOCK, section).toList()) {
            String code = block.replaceAll("(?m)^import .*$", "");
            source.append("static void block%d(%s) throws Exception {\n%s}\n".formatted(++methods, variables, code));
        }
        for (String expression : expressions(section).toList()) {
            source.append(
                    "static Object expression%d(%s) { return %s; }\n".formatted(++methods, variables, expression));
        }
        return source.append("}\n").toString();
    }

    private static Stream<String> expressions(String text) {
        return matches(ROW, text).flatMap(column -> matches(CODE, column));
    }

    /** The messages of the compiler; none if all is well. */
    private String compiled(List<String> sources) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter problems = new StringWriter();
        List<String> options = List.of("-proc:none", "-Xlint:-options", "-d", folder.toString());
        List<JavaFileObject> files = new ArrayList<>();
        for (int i = 0; i < sources.size(); i++) {
            files.add(file(i, sources.get(i)));
        }
        compiler.getTask(problems, null, null, options, null, files).call();
        return problems.toString();
    }

    private static JavaFileObject file(int number, String source) {
        URI name = URI.create("string:///Section" + number + ".java");
        return new SimpleJavaFileObject(name, JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return source;
            }
        };
    }

    @Test
    void blocksAndExpressionsCompileWithTheImportsOfThePage() throws IOException {
        List<String> sections = sections();
        List<String> sources = new ArrayList<>(List.of(source(0, "", sections.getFirst())));
        for (int i = 1; i < sections.size(); i++) {
            sources.add(source(i, sections.get(i), sections.getFirst()));
        }
        long expressions =
                sections.stream().flatMap(FromPyTorchTest::expressions).count();
        assertTrue(expressions > 10, () -> "the tables have " + expressions + " expressions");
        assertEquals("", compiled(sources));
    }

    @Test
    void aTypicalScriptNeedsFiveImports() throws IOException {
        Set<String> imports = imports(sections().getFirst());
        assertTrue(!imports.isEmpty() && imports.size() <= 5, imports::toString);
    }

    @Test
    void withoutTheSingleImportAModuleIsAmbiguous() {
        String problems = compiled(List.of("import dev.outpost.nn.*;\nclass Section0 { Module named; }\n"));
        assertTrue(problems.contains("reference to Module is ambiguous"), problems);
    }
}
