package dev.outpost.models.jinja;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.math.BigInteger;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Templates give the text that Jinja gives within transformers; see {@code make_templates.py}. */
class JinjaTest {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final JsonNode EXPECTED = expected();

    private static JsonNode expected() {
        try (var file = JinjaTest.class.getResourceAsStream("/fixtures/templates.json")) {
            return MAPPER.readTree(file);
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @TestFactory
    Stream<DynamicTest> templatesGiveTheTextThatJinjaGives() {
        return EXPECTED.get("cases")
                .valueStream()
                .map(example -> DynamicTest.dynamicTest(example.get("name").asText(), () -> {
                    Map<String, Object> values = MAPPER.convertValue(example.get("values"), new TypeReference<>() {});
                    String text = JinjaTemplate.parse(example.get("template").asText())
                            .render(values);
                    assertEquals(example.get("text").asText(), text);
                }));
    }

    @TestFactory
    Stream<DynamicTest> whatFailsInJinjaFails() {
        return EXPECTED.get("failing")
                .valueStream()
                .map(JsonNode::asText)
                .map(template -> DynamicTest.dynamicTest(
                        template,
                        () -> assertThrows(
                                JinjaException.class,
                                () -> JinjaTemplate.parse(template).render(Map.of()))));
    }

    /** A template comes with a model, and its text may not reach the files or the classes of the machine that renders it. */
    @Test
    void templatesReachNothingButTheirValues() {
        assertFails("template: line 1: the statement include is not known", "{% include '/etc/passwd' %}");
        assertFails("template: line 1: the statement import is not known", "{% import 'secrets.jinja' as s %}");
        assertFails("template: line 1: the statement from is not known", "{% from 'secrets.jinja' import key %}");
        assertFails("template: line 1: the statement extends is not known", "{% extends '../base.jinja' %}");
        assertFails("template: line 1: the statement do is not known", "{% do open('/etc/passwd') %}");
        for (String reach : List.of(
                "{{ open('/etc/passwd') }}",
                "{{ ''.getClass() }}",
                "{{ ''.__class__.__mro__ }}",
                "{{ [].class.forName('java.io.File') }}",
                "{{ cycler.__init__.__globals__.os.popen('id') }}",
                "{{ '/etc/passwd'|include }}",
                "{{ 'x'|attr('__class__')|map('y') }}",
                "{{ namespace().__init__('x') }}")) {
            assertThrows(JinjaException.class, () -> JinjaTemplate.parse(reach).render(Map.of()), reach);
        }
    }

    @Test
    void errorsSayWhatIsWrongAndWhere() {
        assertFails("template: the roles must alternate", "{{ raise_exception('the roles must alternate') }}");
        assertFails("template: line 2: the statement include is not known", "\n{% include 'x' %}");
        assertFails("template: line 1: expected elif or else or endif", "{% if x %}");
        assertFails("template: there is no filter shout", "{{ 'x' | shout }}");
        assertFails("template: there is no filter attr", "{{ 'x' | attr('y') }}");
        assertFails("template: there is no filter format", "{{ '%s' | format('y') }}");
        assertFails("template: the method upper has at most 0 arguments, got 1", "{{ 'x'.upper(1) }}");
        assertFails(
                "template: the macro m has at most 1 arguments, got 2",
                "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(1, 2) }}");
        assertFails("template: strftime_now needs the argument format", "{{ strftime_now() }}");
        assertFails("template: a is undefined, and has no b", "{{ a.b }}");
        assertFails("template: the filter trim has no argument nosuch; it has chars", "{{ 'a' | trim(nosuch=1) }}");
        assertFails("template: the filter upper has no argument x; it has none", "{{ 'a' | upper(x=1) }}");
        assertFails(
                "template: the filter tojson has no argument nosuch; it has ensure_ascii, indent, separators, sort_keys",
                "{{ 1 | tojson(nosuch=1) }}");
        assertFails("template: the method strip has no argument chars; it has none", "{{ 'a'.strip(chars='a') }}");
        assertFails("template: the test divisibleby has no argument num by name", "{{ 4 is divisibleby(num=2) }}");
        assertFails(
                "template: tojson's separators must be two strings, got a list", "{{ 1 | tojson(separators=[1]) }}");
    }

    /** A request's JSON may have integers of any size. */
    @Test
    void largeIntegersOfTheCallerAreWhole() {
        BigInteger large = BigInteger.TWO.pow(64);
        assertEquals(
                "18446744073709551617 [18446744073709551616]",
                JinjaTemplate.parse("{{ x + 1 }} {{ [x] | tojson }}").render(Map.of("x", large)));
        assertEquals("5", JinjaTemplate.parse("{{ x + 1 }}").render(Map.of("x", BigInteger.valueOf(4))));
    }

    @Test
    void numbersThatAreNotFiniteComeFromTheCaller() {
        assertEquals(
                "False False True inf nan",
                JinjaTemplate.parse(
                                "{{ x - x == x - x }} {{ x - x < 1 }} {{ x > 10 ** 300 }} {{ x | round }} {{ x - x }}")
                        .render(Map.of("x", Double.POSITIVE_INFINITY)));
        assertFails("template: int: the number inf is not finite", "{{ ('inf' | float) | int }}");
    }

    /** A prompt must be the same after each start, so that its cached values are found again. */
    @Test
    void mappingsKeepTheirOrder() {
        StringBuilder arguments = new StringBuilder();
        StringBuilder expected = new StringBuilder();
        for (int number = 30; number > 0; number--) {
            arguments
                    .append(arguments.isEmpty() ? "" : ", ")
                    .append("name")
                    .append(number)
                    .append("=")
                    .append(number);
            expected.append("name").append(number).append(' ');
        }
        assertEquals(
                expected.toString(),
                JinjaTemplate.parse("{% for key in dict(" + arguments + ") %}{{ key }} {% endfor %}")
                        .render(Map.of()));
    }

    private static void assertFails(String message, String template) {
        String got = assertThrows(
                        JinjaException.class,
                        () -> JinjaTemplate.parse(template).render(Map.of()))
                .getMessage();
        assertTrue(sorted(got).equals(sorted(message)), got);
    }

    /** Sorts the words, because expected names have no order. */
    private static String sorted(String message) {
        return Stream.of(message.split(" ")).sorted().toList().toString();
    }

    @Test
    void theClockIsThatOfTheCaller() {
        LocalDateTime time = LocalDateTime.of(2024, 7, 6, 15, 4, 5);
        String text = JinjaTemplate.parse("{{ strftime_now('%d %B %Y, %a %H:%M %p %%') }}", () -> time)
                .render(Map.of());
        assertEquals("06 July 2024, Sat 15:04 PM %", text);
    }

    /** A template comes with a model, and its author is not trusted. */
    @Test
    void aTemplateThatDoesNotEndOrWantsAllMemoryFails() {
        assertThrows(
                JinjaException.class,
                () -> JinjaTemplate.parse(
                                "{% for a in range(9000) %}{% for b in range(9000) %}{{ b }}{% endfor %}{% endfor %}")
                        .render(Map.of()));
        assertThrows(
                JinjaException.class,
                () -> JinjaTemplate.parse("{{ 'x' * 100000000000 }}").render(Map.of()));
        for (String large : List.of(
                "{{ 2 ** 100000000000 }}",
                "{{ (-2) ** 99999999 }}",
                "{% set n = namespace(x=3) %}{% for i in range(99) %}{% set n.x = n.x * n.x %}{% endfor %}{{ n.x }}",
                "{{ [1] | tojson(indent=100000000000) }}",
                "{{ [1] | tojson(indent=99999999) }}",
                "{{ " + "9".repeat(5000) + " }}")) {
            assertThrows(JinjaException.class, () -> JinjaTemplate.parse(large).render(Map.of()), large);
        }
        assertThrows(
                JinjaException.class,
                () -> JinjaTemplate.parse("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}")
                        .render(Map.of()));
        assertThrows(
                JinjaException.class,
                () -> JinjaTemplate.parse("{{ ''.getClass() }}").render(Map.of()));
    }
}
