package dev.outpost.runtime.cuda.nccl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outpost.runtime.cuda.library.CudaException;
import dev.outpost.types.DType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests NCCL as far as it works without a GPU. Sums between GPUs would need two GPUs. */
class NcclTest {
    private static Nccl nccl() {
        Optional<Nccl> found = Nccl.find();
        assumeTrue(
                found.isPresent(), "NCCL was not found: set OUTPOST_CUDA_LIBRARIES, or pip install nvidia-nccl-cu12");
        return found.get();
    }

    @Test
    void theLibraryTellsItsVersion() {
        assertTrue(nccl().version() > 20_000, () -> "version " + nccl().version());
    }

    @Test
    void eachIdIsAnother() {
        Nccl nccl = nccl();
        assertNotEquals(nccl.drawId(), nccl.drawId());
    }

    @Test
    void aCommunicatorWithoutAGpuIsRefusedByName() {
        assumeTrue(!Files.exists(Path.of("/dev/nvidiactl")), "this machine has a GPU");
        Nccl nccl = nccl();
        CudaException refused =
                assertThrows(CudaException.class, () -> nccl.join(nccl.drawId(), 1, 0, Duration.ofSeconds(5)));
        assertEquals("ncclCommInitRankConfig", refused.call());
    }

    @Test
    void anIdIsOpenedByTheGroupsGrantAndForItsCommunicatorOnly() {
        byte[] bytes = new byte[NcclId.BYTES];
        bytes[5] = 7;
        NcclId id = new NcclId(bytes);
        byte[] sealed = id.seal("grant of the group", 3);
        assertEquals(id, NcclId.open(sealed, "grant of the group", 3));
        assertThrows(IllegalArgumentException.class, () -> NcclId.open(sealed, "another grant", 3));
        assertThrows(IllegalArgumentException.class, () -> NcclId.open(sealed, "grant of the group", 4));
        sealed[0] ^= 1;
        assertThrows(IllegalArgumentException.class, () -> NcclId.open(sealed, "grant of the group", 3));
    }

    /** NCCL reads the environment of the process, which Java cannot change. */
    @Test
    void theAlgorithmIsFixedInTheEnvironmentOfTheProcess() {
        assumeTrue(System.getenv("NCCL_ALGO") == null && System.getenv("NCCL_PROTO") == null, "it is named outside");
        assertEquals("Ring, Simple", NcclAlgorithm.fix());
        assertEquals("Ring, Simple", NcclAlgorithm.fix());
    }

    @Test
    void typesHaveTheNumbersOfTheHeader() {
        assertEquals(7, Nccl.code(DType.FLOAT32));
        assertEquals(9, Nccl.code(DType.BFLOAT16));
        assertThrows(IllegalArgumentException.class, () -> Nccl.code(DType.INT16));
    }
}
