package dev.outpost.progress;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Writes each finished test and each finished class to the file of this JVM below the folder that the system property
 * {@code outpost.test.events} names. Without the property it does nothing.
 */
public final class ProgressListener implements TestExecutionListener {
    private Optional<EventFile> events = Optional.empty();
    private boolean isOpened;
    private final Map<String, RunningClass> running = new HashMap<>();
    private TestPlan plan;

    @Override
    public void testPlanExecutionStarted(TestPlan started) {
        plan = started;
        // Not earlier, because Maven's own JVM also creates listeners, to find tests.
        if (!isOpened) {
            isOpened = true;
            events = EventFile.open();
        }
    }

    @Override
    public void executionStarted(TestIdentifier identifier) {
        if (events.isPresent() && isTopLevelClass(identifier)) {
            String name = className(identifier).orElseThrow();
            running.put(identifier.getUniqueId(), new RunningClass(name));
            events.get().write("start", name);
        }
    }

    @Override
    public void executionSkipped(TestIdentifier identifier, String reason) {
        if (events.isPresent() && (identifier.isTest() || className(identifier).isPresent())) {
            writeTest(identifier, "skipped", reason);
        }
    }

    @Override
    public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
        if (events.isEmpty()) {
            return;
        }
        if (identifier.isTest() || result.getStatus() != Status.SUCCESSFUL) {
            writeTest(
                    identifier,
                    outcome(result),
                    result.getThrowable().map(ProgressListener::text).orElse(""));
        }
        RunningClass ended = running.remove(identifier.getUniqueId());
        if (ended != null) {
            events.get().write("class", ended.name(), ended.wallMillis(), ended.cpuMillis());
        }
    }

    private void writeTest(TestIdentifier identifier, String outcome, String reason) {
        events.orElseThrow().write("test", outcome, classNameOf(identifier), methodName(identifier), reason);
    }

    private static String outcome(TestExecutionResult result) {
        return switch (result.getStatus()) {
            case SUCCESSFUL -> "passed";
            case ABORTED -> "skipped";
            case FAILED -> "failed";
        };
    }

    private static String text(Throwable thrown) {
        return thrown.getMessage() == null || thrown instanceof RuntimeException
                ? thrown.toString()
                : thrown.getMessage();
    }

    private boolean isTopLevelClass(TestIdentifier identifier) {
        return className(identifier).isPresent()
                && plan.getParent(identifier).map(this::isEngine).orElse(false);
    }

    private boolean isEngine(TestIdentifier identifier) {
        return identifier.getParentId().isEmpty();
    }

    private static Optional<String> className(TestIdentifier identifier) {
        return identifier
                .getSource()
                .filter(ClassSource.class::isInstance)
                .map(source -> ((ClassSource) source).getClassName());
    }

    /** Returns the class of a test, or of its nearest container with a class. */
    private String classNameOf(TestIdentifier identifier) {
        Optional<String> ofMethod = identifier
                .getSource()
                .filter(MethodSource.class::isInstance)
                .map(source -> ((MethodSource) source).getClassName());
        return ofMethod.or(() -> className(identifier))
                .or(() -> plan.getParent(identifier).map(this::classNameOf))
                .orElse("");
    }

    /** Returns the name of a test; that of a parameterized one ends with the display name of the invocation. Empty for a class. */
    private String methodName(TestIdentifier identifier) {
        if (identifier.getSource().filter(MethodSource.class::isInstance).isEmpty()) {
            return identifier.isTest() ? identifier.getDisplayName() : "";
        }
        String method = ((MethodSource) identifier.getSource().get()).getMethodName();
        String shown = identifier.getDisplayName();
        return shown.startsWith(method) ? method : method + " " + shown;
    }
}
