package dev.outpost.protocol.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.support.tests.Await;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LogWriterTest {
    private final CountDownLatch fileTakesLines = new CountDownLatch(1);
    private final Semaphore writes = new Semaphore(0);
    private final StringWriter text = new StringWriter();

    /** A file whose disk does not answer until the latch is open. */
    private final LogWriter log = new LogWriter(new PrintWriter(text) {
        @Override
        public void println(String line) {
            writes.release();
            try {
                Await.opened("the file takes lines", fileTakesLines);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            super.println(line);
        }
    });

    private List<String> written() {
        log.flush();
        return text.toString().lines().toList();
    }

    /** Callers hold the lock under which all threads of a program record. */
    @Test
    void callerDoesNotWaitForTheFile() throws Exception {
        Await.within("lines are added", () -> IntStream.range(0, 100).forEach(line -> log.add(() -> "line " + line)));
        Await.acquired("another thread writes", writes);
        assertEquals("", text.toString());
        fileTakesLines.countDown();
        assertEquals(IntStream.range(0, 100).mapToObj(line -> "line " + line).toList(), written());
    }

    @Test
    void linesOfEachThreadKeepTheirOrder() throws InterruptedException {
        fileTakesLines.countDown();
        int count = LogWriter.MAX_WAITING;
        List<Thread> threads = new ArrayList<>();
        for (int thread = 0; thread < 3; thread++) {
            String name = "thread " + thread + " ";
            threads.add(Thread.ofPlatform()
                    .start(() -> IntStream.range(0, count).forEach(line -> log.add(() -> name + line))));
        }
        for (Thread thread : threads) {
            Await.ended("a thread adds its lines", thread);
        }
        List<String> written = written();
        assertEquals(3 * count, written.size());
        for (int thread = 0; thread < 3; thread++) {
            String name = "thread " + thread + " ";
            assertEquals(
                    IntStream.range(0, count).mapToObj(line -> name + line).toList(),
                    written.stream().filter(line -> line.startsWith(name)).toList());
        }
    }
}
