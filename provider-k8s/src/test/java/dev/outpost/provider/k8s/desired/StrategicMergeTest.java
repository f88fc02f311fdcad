package dev.outpost.provider.k8s.desired;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.provider.k8s.config.MergePatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("quick")
class StrategicMergeTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "a value replaces one | {a: 1, b: 2} | {b: 3} | {a: 1, b: 3}",
                "maps are merged | {a: {b: 1, c: 2}} | {a: {c: 3, d: 4}} | {a: {b: 1, c: 3, d: 4}}",
                "a null removes | {a: {b: 1, c: 2}} | {a: {c: null}} | {a: {b: 1}}",
                "a null where nothing was | {a: 1} | {b: null, c: {d: null, e: 2}} | {a: 1, c: {e: 2}}",
                "a map over a value | {a: 1} | {a: {b: 2}} | {a: {b: 2}}",
                "a map is replaced | {a: {b: 1}} | {a: {$patch: replace, c: 2}} | {a: {c: 2}}",
                "a map is emptied | {a: {b: 1}} | {a: {$patch: delete}} | {a: {}}",
                "merge is what happens anyway | {a: {b: 1}} | {a: {$patch: merge, c: 2}} | {a: {b: 1, c: 2}}",
                "containers by name | {containers: [{name: a, image: x, tty: true}]} "
                        + "| {containers: [{name: a, image: y}]} | {containers: [{name: a, image: y, tty: true}]}",
                "a container more | {containers: [{name: a}]} | {containers: [{name: b, tty: null}]} "
                        + "| {containers: [{name: a}, {name: b}]}",
                "init containers by name | {initContainers: [{name: a}]} | {initContainers: [{name: a, image: y}]} "
                        + "| {initContainers: [{name: a, image: y}]}",
                "an element less | {volumes: [{name: a}, {name: b}]} | {volumes: [{name: a, $patch: delete}]} "
                        + "| {volumes: [{name: b}]}",
                "an element less that is not there | {volumes: [{name: a}]} | {volumes: [{name: b, $patch: delete}]} "
                        + "| {volumes: [{name: a}]}",
                "all other elements | {volumes: [{name: a}]} | {volumes: [{$patch: replace}, {name: b}]} "
                        + "| {volumes: [{name: b}]}",
                "a volume of another kind | {volumes: [{name: a, emptyDir: {}}]} "
                        + "| {volumes: [{name: a, emptyDir: null, hostPath: {path: /x}}]} "
                        + "| {volumes: [{name: a, hostPath: {path: /x}}]}",
                "variables by name | {env: [{name: A, value: 1}, {name: B, value: 2}]} "
                        + "| {env: [{name: B, value: 3}, {name: C, value: 4}]} "
                        + "| {env: [{name: A, value: 1}, {name: B, value: 3}, {name: C, value: 4}]}",
                "mounts by path | {volumeMounts: [{mountPath: /a, name: x}, {mountPath: /b, name: x}]} "
                        + "| {volumeMounts: [{mountPath: /b, name: y}]} "
                        + "| {volumeMounts: [{mountPath: /a, name: x}, {mountPath: /b, name: y}]}",
                "ports by number | {ports: [{containerPort: 1, name: a}]} | {ports: [{containerPort: 1, protocol: UDP}]} "
                        + "| {ports: [{containerPort: 1, name: a, protocol: UDP}]}",
                "pull secrets by name | {imagePullSecrets: [{name: a}]} | {imagePullSecrets: [{name: b}, {name: a}]} "
                        + "| {imagePullSecrets: [{name: a}, {name: b}]}",
                "tolerations as a whole | {tolerations: [{key: a}]} | {tolerations: [{key: b}]} | {tolerations: [{key: b}]}",
                "tolerations as a whole, said twice | {tolerations: [{key: a}]} "
                        + "| {tolerations: [{$patch: replace}, {key: b}]} | {tolerations: [{key: b}]}",
                "commands as a whole | {command: [a, b]} | {command: [c]} | {command: [c]}",
                "deep down | {spec: {containers: [{name: a, env: [{name: X, value: 1}], securityContext: {p: 1}}]}} "
                        + "| {spec: {containers: [{name: a, env: [{name: X, $patch: delete}], securityContext: {q: 2}}]}} "
                        + "| {spec: {containers: [{name: a, env: [], securityContext: {p: 1, q: 2}}]}}",
                "a list where none was | {} | {containers: [{name: a, env: [{name: X, value: null}]}]} "
                        + "| {containers: [{name: a, env: [{name: X}]}]}"
            })
    void merges(String what, String original, String patch, String expected) {
        var before = MergePatch.of(original).tree();
        assertEquals(
                MergePatch.of(expected).tree(),
                StrategicMerge.merge(before, MergePatch.of(patch).tree()));
        assertEquals(MergePatch.of(original).tree(), before, "the original was changed");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{containers: [{image: x}]} | an element of containers lacks its name, by which it is merged, got {image=x}",
                "{containers: [x]} | an element of containers is no mapping, got x",
                "{a: {$patch: remove}} | $patch is replace, delete or merge, got remove",
                "{a: {$patch: 5}} | $patch is replace, delete or merge, got 5",
                "{$setElementOrder/env: []} | the directive $setElementOrder/env is not known, expected $patch: replace, delete or merge"
            })
    void refuses(String patch, String sentence) {
        var refused = assertThrows(
                IllegalArgumentException.class,
                () -> StrategicMerge.merge(
                        MergePatch.of("{containers: []}").tree(),
                        MergePatch.of(patch).tree()));
        assertEquals(sentence, refused.getMessage());
    }

    @Test
    void orderIsKept() {
        var merged = StrategicMerge.merge(
                MergePatch.of("{containers: [{name: a}, {name: b}, {name: c}]}").tree(),
                MergePatch.of("{containers: [{name: d}, {name: b, image: x}]}").tree());
        assertEquals("{containers=[{name=a}, {name=b, image=x}, {name=c}, {name=d}]}", merged.toString());
    }
}
