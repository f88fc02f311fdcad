package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.protocol.fault.FaultKind;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Unary;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an engine does wrong costs the values that it touched, and neither the session nor the runtime. */
class EngineFailureTest {
    private final RuntimeHost host = new RuntimeHost(new FailingEngine(), RuntimeSettings.withQuota(1 << 20));

    @AfterEach
    void close() {
        host.close();
        assertEquals(0, host.liveBytes());
    }

    @Test
    void aKernelThatBreaksIsAnInternalFault() throws InterruptedException {
        Fault fault = faultOf(Unary.SIGN);
        assertEquals(FaultKind.INTERNAL, fault.kind());
        assertEquals(
                "sign: java.lang.ArrayIndexOutOfBoundsException: 7 (sign(float32[2]) -> float32[2])", fault.message());
    }

    @Test
    void aKernelThatDoesNotCompileIsAnInternalFaultAndIsTriedAgain() throws InterruptedException {
        Fault fault = faultOf(Unary.ABS);
        assertEquals(FaultKind.INTERNAL, fault.kind());
        assertEquals(
                "abs: java.lang.IllegalStateException: could not be compiled: "
                        + "java.lang.IllegalStateException: no code for it (abs(float32[2]) -> float32[2])",
                fault.message());
        faultOf(Unary.ABS);
        assertEquals(2, host.stats().work().plansMade());
    }

    @Test
    void aHeapThatIsFullIsAFaultOfKindResources() throws InterruptedException {
        Fault fault = faultOf(Unary.RELU);
        assertEquals(FaultKind.RESOURCES, fault.kind());
        assertEquals(
                "relu: out of memory on the machine, Java heap space (relu(float32[2]) -> float32[2])",
                fault.message());
    }

    private Fault faultOf(Op op) throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new Recorder().full(1, 1, 2).add(op, 2, 1).neg(3, 1));
        Fault fault = client.fetchFailing(1, 2).fault();
        assertArrayEquals(Recorder.bytes(-1, -1), client.fetch(2, 3).bytes());
        client.goodbye();
        return fault;
    }
}
