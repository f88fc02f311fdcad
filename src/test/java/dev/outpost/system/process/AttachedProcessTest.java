package dev.outpost.system.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.support.tests.Await;
import dev.outpost.types.OutpostException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client is killed, and another process continues with its machine. */
class AttachedProcessTest {
    @TempDir
    Path folder;

    @Test
    void afterKillNineAnotherProcessHasTheValuesOfOneMoment() throws Exception {
        ProcessHost host = new ProcessHost(folder);
        try (StarterProcess client = StarterProcess.counter(host)) {
            String key = client.line();
            client.awaitLine("ready");
            client.kill();
            ProcessHandle process = host.process(host.onlyMachine());
            double rounds;
            try (RemoteMachine machine = RemoteMachine.attach(key)) {
                rounds = mean(machine, "once");
                assertTrue(rounds >= 100, "the machine had computed the first additions");
                assertEquals(2 * rounds, mean(machine, "twice"), "both are of the same round");
                Tensor once = machine.kept("once");
                once.add_(1);
                assertEquals(rounds + 1, mean(machine, "once"));
            }
            Await.until("the machine ends with its new client", () -> !process.isAlive());
            OutpostException gone = assertThrows(OutpostException.class, () -> RemoteMachine.attach(key));
            assertTrue(gone.getMessage().startsWith("attach: the session is gone: "), gone::getMessage);
        }
    }

    private static double mean(RemoteMachine machine, String name) {
        return machine.kept(name).mean().itemDouble();
    }

    @Test
    void aClientThatWasStoppedDoesNotEndTheMachineOfTheNext() throws Exception {
        ProcessHost host = new ProcessHost(folder);
        try (StarterProcess client = StarterProcess.counter(host)) {
            String key = client.line();
            client.awaitLine("ready");
            client.signal("STOP");
            try (RemoteMachine machine = RemoteMachine.attach(key)) {
                double rounds = mean(machine, "once");
                client.signal("CONT");
                assertEquals(1, client.awaitEnd(), "its next use fails");
                assertEquals(rounds, mean(machine, "once"), "and the machine is still there");
            }
        }
    }
}
