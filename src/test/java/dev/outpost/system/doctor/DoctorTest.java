package dev.outpost.system.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checks of doctor do not depend on the machine, but for their status. */
class DoctorTest {
    @TempDir
    private Path folder;

    private OutpostProcess doctor(Path kubeconfig) throws IOException, InterruptedException {
        return OutpostProcess.outpost(Map.of("KUBECONFIG", kubeconfig.toString()), "doctor");
    }

    @Test
    void doctorReportsThisHost() throws IOException, InterruptedException {
        OutpostProcess doctor;
        try (SmallApiServer cluster = new SmallApiServer()) {
            doctor = doctor(cluster.kubeconfig(folder.resolve("config")));
        }
        assertEquals(0, doctor.status(), doctor::output);
        assertTrue(doctor.hasRow("JDK", "ok"), doctor::output);
        assertTrue(doctor.hasRow("OpenBLAS", "(ok|absent)"), doctor::output);
        assertTrue(doctor.hasRow("oneDNN", "(ok|absent)"), doctor::output);
        assertTrue(doctor.hasRow("Vector API", "ok"), doctor::output);
        assertTrue(doctor.hasRow("CUDA driver", "(ok|absent)"), doctor::output);
        assertTrue(doctor.hasRow("NVRTC", "(ok|absent)"), doctor::output);
        assertTrue(doctor.hasRow("cuBLASLt", "(ok|absent)"), doctor::output);
        assertTrue(doctor.hasRow("kubeconfig", "ok"), doctor::output);
        assertTrue(doctor.hasRow("cluster", "ok"), doctor::output);
        assertTrue(doctor.hasRow("namespace", "ok"), doctor::output);
        assertTrue(doctor.hasRow("permissions", "ok"), doctor::output);
        assertTrue(doctor.hasRow("image", "skipped"), doctor::output);
        assertTrue(doctor.hasRow("GPU nodes", "absent"), doctor::output);
        assertTrue(doctor.output().contains("the system's loader (LD_LIBRARY_PATH, ldconfig)"), doctor::output);
    }

    @Test
    void brokenPartFailsWithARemedy() throws IOException, InterruptedException {
        OutpostProcess doctor = doctor(folder.resolve("none"));
        assertEquals(1, doctor.status(), doctor::output);
        assertTrue(doctor.hasRow("kubeconfig", "failed"), doctor::output);
        assertTrue(doctor.hasRow("cluster", "skipped"), doctor::output);
        assertTrue(doctor.output().contains("kubeconfig: For machines on Kubernetes set KUBECONFIG"), doctor::output);
    }

    @Test
    void aKubeconfigThatLeadsToNoClusterIsAFailure() throws IOException, InterruptedException {
        OutpostProcess doctor = doctor(Files.writeString(folder.resolve("config"), "current-context: here\n"));
        assertEquals(1, doctor.status(), doctor::output);
        assertTrue(doctor.hasRow("cluster", "failed"), doctor::output);
        assertTrue(doctor.output().contains("no current context; the kubeconfig has none"), doctor::output);
        assertTrue(doctor.output().contains("Set outpost.k8s.context to one of the kubeconfig."), doctor::output);
    }
}
