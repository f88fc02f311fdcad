package dev.outpost.cli.shell;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;

/**
 * The machine of a JShell. With {@code --session NAME} the machine and the tensor variables outlive the JShell: after each snippet, the
 * tensors of all variables are kept on the machine under the names of the variables.
 */
public final class ShellSession {
    /** The system property with the name of the session. */
    private static final String NAME = "outpost.shell.session";

    private static final Duration PAUSE = Duration.ofMillis(200);

    /** Null in a JShell without a session. */
    private static volatile ShellSession current;

    private final SessionFiles files;
    private final FileLock lock;
    private final ShellVariables variables;
    private final RemoteMachine machine;
    private Set<String> names = new TreeSet<>();
    /** The problem that was printed last. */
    private String problem = "";

    private boolean isEnded;

    private ShellSession(SessionFiles files, FileLock lock, ShellVariables variables, RemoteMachine machine) {
        this.files = files;
        this.lock = lock;
        this.variables = variables;
        this.machine = machine;
    }

    /** Returns the machine of a JShell. Called by its first snippet. */
    public static RemoteMachine open() {
        String name = System.getProperty(NAME, "");
        if (name.isEmpty()) {
            return RemoteMachine.open();
        }
        Class<?> snippet = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .getCallerClass();
        try {
            return open(files(name), new ShellVariables(snippet, Thread.currentThread()));
        } catch (IllegalArgumentException | IllegalStateException | OutpostException failure) {
            System.out.println("Outpost: " + failure.getMessage());
            throw failure;
        }
    }

    private static SessionFiles files(String name) {
        String state = System.getenv("XDG_STATE_HOME");
        Path home = state == null || state.isBlank()
                ? Path.of(System.getProperty("user.home"), ".local", "state")
                : Path.of(state);
        return new SessionFiles(home.resolve("outpost").resolve("sessions"), name);
    }

    private static RemoteMachine open(SessionFiles files, ShellVariables variables) {
        FileLock lock = files.lock();
        RemoteMachine machine = attached(files).orElseGet(() -> RemoteMachine.open(new MachineOptions()));
        files.key(machine.sessionKey());
        ShellSession session = new ShellSession(files, lock, variables, machine);
        current = session;
        Thread.ofVirtual().name("outpost-shell-session").start(session::keepAgainAndAgain);
        Runtime.getRuntime().addShutdownHook(new Thread(session::keepAtExit, "outpost-shell-session-exit"));
        return machine;
    }

    /** Returns the machine of the JShell before; empty if there was none, or its session is gone. */
    private static Optional<RemoteMachine> attached(SessionFiles files) {
        Optional<String> key = files.key();
        if (key.isEmpty()) {
            return Optional.empty();
        }
        try {
            RemoteMachine machine = RemoteMachine.attach(key.get());
            System.out.println("Outpost: session " + files.name() + " continues with "
                    + machine.kept().keySet());
            return Optional.of(machine);
        } catch (OutpostException | IllegalArgumentException failure) {
            System.out.println(
                    "Outpost: session " + files.name() + " begins anew, without its tensors: " + failure.getMessage());
            files.remove();
            return Optional.empty();
        }
    }

    /** Returns a tensor of the JShell before, for the variable of this name; null if it is lost. */
    public static Tensor kept(String name) {
        ShellSession session = current;
        return session == null || !session.machine.kept().containsKey(name) ? null : session.machine.kept(name);
    }

    /** Ends the session: releases the machine, and forgets the tensors. */
    public static void end() {
        ShellSession session = current;
        if (session == null) {
            throw new IllegalStateException("this JShell has no session; ./outpost jshell --session NAME begins one");
        }
        session.endNow();
    }

    private synchronized void endNow() {
        isEnded = true;
        machine.close();
        files.remove();
        System.out.println("Outpost: session " + files.name() + " has ended");
    }

    /** Ends the session of a name from outside of a JShell. */
    public static void main(String[] arguments) {
        SessionFiles files = files(arguments[0]);
        try {
            FileLock held = files.lock();
            Optional<RemoteMachine> machine = attached(files);
            machine.ifPresent(RemoteMachine::close);
            files.remove();
            System.out.println(
                    "Outpost: session " + files.name() + (machine.isPresent() ? " has ended" : " had no machine"));
            held.release();
        } catch (IllegalArgumentException | IllegalStateException | IOException failure) {
            System.err.println(failure.getMessage());
            System.exit(1);
        }
    }

    // ---- the variables

    private void keepAgainAndAgain() {
        while (keep()) {
            try {
                Thread.sleep(PAUSE);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Keeps the tensors of the variables, unless a snippet runs. Returns false after the end of the session. */
    private synchronized boolean keep() {
        if (isEnded || !lock.isValid()) {
            return false;
        }
        if (variables.isRunning()) {
            return true;
        }
        keep(variables.tensors());
        return true;
    }

    private void keep(SequencedMap<String, Tensor> tensors) {
        Set<String> next = new TreeSet<>();
        for (Map.Entry<String, Tensor> each : tensors.entrySet()) {
            Tensor tensor = each.getValue();
            if (tensor.machine() == machine && keep(each.getKey(), tensor)) {
                next.add(each.getKey());
            }
        }
        if (!next.equals(names)) {
            names.stream().filter(name -> !next.contains(name)).forEach(this::forget);
            files.variables(next);
            names = next;
        }
    }

    private boolean keep(String name, Tensor tensor) {
        return isDone(() -> machine.keep(name, tensor.isLeaf() ? tensor : tensor.detach()));
    }

    private void forget(String name) {
        isDone(() -> machine.forget(name));
    }

    /** Returns true if the action succeeded. Prints a problem once. */
    private boolean isDone(Runnable action) {
        try {
            action.run();
            return true;
        } catch (OutpostException failure) {
            if (!failure.getMessage().equals(problem)) {
                problem = failure.getMessage();
                System.out.println("Outpost: session " + files.name() + ": " + problem);
            }
            return false;
        }
    }

    private void keepAtExit() {
        if (keep()) {
            // Returns when the machine has the values.
            isDone(machine::sessionKey);
        }
    }
}
