package dev.outpost.simulated.kubernetes.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests selectors of labels and fields. */
class SelectorTest {
    private static final ObjectNode POD = JsonObjects.parse("""
            {"metadata": {"name": "a", "labels": {"app": "x", "outpost.dev/gpu": "A100"}}, "status": {"phase": "Running"}}
            """);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                                        | true",
                "app=x                                     | true",
                "app==x,outpost.dev/gpu=A100               | true",
                "app=y                                     | false",
                "app!=y                                    | true",
                "other!=y                                  | true",
                "app                                       | true",
                "other                                     | false",
                "!other                                    | true",
                "!app                                      | false",
                "outpost.dev/gpu in (L4, A100)             | true",
                "outpost.dev/gpu in (L4,T4),app=x          | false",
                "outpost.dev/gpu notin (L4,T4)             | true",
                "other notin (x)                           | true",
            })
    void ofLabels(String selector, boolean selected) {
        assertEquals(selected, Selector.labels(selector).test(POD));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "metadata.name=a                           | true",
                "metadata.name=b                           | false",
                "status.phase!=Running                     | false",
                "metadata.name=a,status.phase==Running     | true",
                "spec.nodeName=                            | true",
            })
    void ofFields(String selector, boolean selected) {
        assertEquals(selected, Selector.fields(selector).test(POD));
    }

    @Test
    void malformedSelectorIsRefused() {
        assertEquals(
                "selector: \"a=b=c d\" cannot be read",
                assertThrows(ApiStatusException.class, () -> Selector.labels("a=b=c d"))
                        .getMessage());
    }
}
