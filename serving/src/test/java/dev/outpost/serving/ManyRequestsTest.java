package dev.outpost.serving;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many requests with a cache for a few of them leave no block behind, even if some of their clients disappear. */
class ManyRequestsTest {
    private static final int CLIENTS = 16;
    private static final int SLOW = 3;

    @Tag("full")
    @Timeout(value = 1500, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @Test
    void tenThousandRequestsLeakNoBlock() throws Exception {
        int requests = 10_000;
        try (ServingProcess server = ServingProcess.start(
                "--model",
                "text=" + TestModels.text(),
                "--texts",
                "8",
                "--text-tokens",
                "128",
                "--cache-tokens",
                "256")) {
            RequestStorm storm = new RequestStorm(server, 60);
            int answered = storm.send(CLIENTS, requests / CLIENTS);
            assertTrue(answered > requests / 2, "answered: " + answered);
            storm.requireNoBlockLeft();
            assertTrue(storm.metric("vllm:num_preemptions_total") > 0, "blocks never ran out");
        }
    }

    /** Meanwhile clients that read nothing hold texts that together would need more blocks than exist. */
    @Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @Test
    void hundredsOfRequestsBesideSlowReadersLeakNoBlock() throws Exception {
        ServingProcess server = ServingProcess.shared();
        RequestStorm storm = new RequestStorm(server, 40);
        double before = storm.metric("vllm:num_preemptions_total");
        List<Socket> slow = new ArrayList<>();
        for (int client = 0; client < SLOW; client++) {
            slow.add(RequestStorm.post(server, HttpTest.LONG_STREAM));
        }
        int answered = storm.send(CLIENTS, 13);
        for (Socket socket : slow) {
            socket.close();
        }
        assertTrue(answered > CLIENTS * 8, "answered: " + answered);
        storm.requireNoBlockLeft();
        assertTrue(storm.metric("vllm:num_preemptions_total") > before, "blocks never ran out");
        assertFalse(server.log().contains("ERROR"), server::log);
    }
}
