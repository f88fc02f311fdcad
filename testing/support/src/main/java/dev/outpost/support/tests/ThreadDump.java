package dev.outpost.support.tests;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** The stacks of all threads, including virtual ones, as a part of a failure's stack trace. */
final class ThreadDump extends RuntimeException {
    private static final long serialVersionUID = 1;

    private ThreadDump(String text) {
        super(text, null, false, false);
    }

    static ThreadDump take() {
        try {
            return new ThreadDump("all threads:\n" + text());
        } catch (IOException failure) {
            return new ThreadDump("no thread dump: " + failure);
        }
    }

    private static String text() throws IOException {
        // The JVM writes only to files that do not exist yet.
        Path folder = Files.createTempDirectory("thread-dump");
        Path file = folder.resolve("threads.txt");
        try {
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .dumpThreads(file.toString(), ThreadDumpFormat.TEXT_PLAIN);
            return Files.readString(file);
        } finally {
            Files.deleteIfExists(file);
            Files.delete(folder);
        }
    }
}
