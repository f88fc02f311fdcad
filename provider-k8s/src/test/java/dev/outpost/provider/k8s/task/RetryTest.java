package dev.outpost.provider.k8s.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.k8s.Quick;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RetryTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final AtomicLong nanos = new AtomicLong();
    private final List<String> trouble = new ArrayList<>();
    private final CancellableDeadline deadline = new CancellableDeadline(MINUTE, nanos::get);
    private final Retry retry = new Retry(deadline, Quick.surroundings(), trouble::add);
    private final Deque<KubernetesClientException> failures = new ArrayDeque<>();
    private int calls;

    private String call() {
        calls++;
        if (!failures.isEmpty()) {
            throw failures.pop();
        }
        return "answer";
    }

    @Test
    void transientFailureIsRetried() {
        failures.addAll(List.of(answer(500), answer(429), answer(503)));
        assertEquals("answer", retry.call(this::call));
        assertEquals(4, calls);
        assertEquals(3, trouble.size());
        assertTrue(trouble.getFirst().startsWith("the API server failed (500)"), trouble::toString);
    }

    @Test
    void permanentFailureIsNotRetried() {
        KubernetesClientException missing = answer(404);
        failures.add(missing);
        assertSame(missing, assertThrows(KubernetesClientException.class, () -> retry.call(this::call)));
        assertEquals(1, calls);
    }

    @Test
    void aServerThatHasJustStartedMayRefuseForSomeSeconds() {
        failures.addAll(List.of(answer(403), answer(403), answer(403)));
        assertEquals("answer", retry.call(this::call));
        assertTrue(trouble.getFirst().startsWith("the API server refuses it: because of 403"), trouble::toString);
    }

    @Test
    void aRefusalIsFinalWhenItStays() {
        var refused = assertThrows(
                KubernetesClientException.class,
                () -> retry.call(() -> {
                    nanos.addAndGet(Quick.POLLING.refusal().toNanos() / 3 + 1);
                    failures.add(answer(403));
                    return call();
                }));
        assertEquals(403, refused.getCode());
        assertEquals(4, calls);
    }

    @Test
    void aRefusalIsFinalAfterAFewSeconds() {
        assertTrue(
                PollingSettings.STANDARD.refusal().compareTo(Duration.ofSeconds(5)) <= 0,
                () -> "" + PollingSettings.STANDARD.refusal());
    }

    @Test
    void credentialsAreTriedOnceMore() {
        failures.addAll(List.of(answer(401), answer(401), answer(401)));
        assertThrows(KubernetesClientException.class, () -> retry.call(this::call));
        assertEquals(2, calls);
    }

    @Test
    void whenTheTimeIsOverTheLastFailureIsFinal() {
        failures.addAll(List.of(answer(500), answer(502)));
        var last = assertThrows(
                KubernetesClientException.class,
                () -> retry.call(() -> {
                    if (calls == 1) {
                        nanos.addAndGet(MINUTE.toNanos());
                    }
                    return call();
                }));
        assertEquals(502, last.getCode());
    }

    @Test
    void withdrawnDemandSendsNoRequest() {
        deadline.withdraw();
        assertThrows(CancellableDeadline.WithdrawnException.class, () -> retry.call(this::call));
        assertEquals(0, calls);
    }

    @Test
    void retryAfterHeaderIsHonoured() {
        Status busy = new StatusBuilder()
                .withCode(429)
                .withNewDetails()
                .withRetryAfterSeconds(1)
                .endDetails()
                .build();
        failures.add(new KubernetesClientException(busy));
        // It would wait a second, but waits only for the rest of the timeout.
        Duration left = Duration.ofMillis(30);
        long start = System.nanoTime();
        new Retry(new CancellableDeadline(left, nanos::get), Quick.surroundings(), trouble::add).call(this::call);
        assertTrue(System.nanoTime() - start >= left.toNanos());
    }

    private static KubernetesClientException answer(int code) {
        return new KubernetesClientException(new StatusBuilder()
                .withCode(code)
                .withMessage("because of " + code)
                .build());
    }
}
