package dev.outpost.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.outpost.runtime.cuda.check.CheckOutcome;
import dev.outpost.runtime.cuda.check.CheckResult;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("quick")
class KubernetesCheckTest {
    @TempDir
    private Path folder;

    private CheckResult check(Map<String, String> environment) {
        return KubernetesCheck.run(environment, folder, folder);
    }

    private Path write(String name, String... lines) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.write(file, List.of(lines));
    }

    @Test
    void nothingIsAbsent() {
        CheckResult result = check(Map.of());
        assertEquals(CheckOutcome.ABSENT, result.outcome());
        assertEquals("no KUBECONFIG, no " + folder.resolve(".kube/config") + ", and not in a pod", result.detail());
    }

    @Test
    void theHomeFoldersFileIsFoundWithItsContextAndNoSecret() throws IOException {
        Path file =
                write(".kube/config", "users:", "- user:", "    token: s3cret", "current-context: \"kind-a\" # here");
        CheckResult result = check(Map.of());
        assertEquals(CheckResult.ok("kubeconfig", "context kind-a, " + file), result);
        assertFalse(result.toString().contains("s3cret"));
    }

    @Test
    void theFirstFileThatNamesAContextDecides() throws IOException {
        Path without = write("a", "apiVersion: v1", "current-context: \"\"");
        Path with = write("b", "current-context: prod");
        String value = String.join(File.pathSeparator, without.toString(), folder + "/none", with.toString());
        CheckResult result = check(Map.of("KUBECONFIG", value));
        assertEquals("context prod, " + without + File.pathSeparator + with, result.detail());
    }

    @Test
    void aSettingThatLeadsNowhereHasFailed() {
        CheckResult result = check(Map.of("KUBECONFIG", "/none"));
        assertEquals(CheckOutcome.FAILED, result.outcome());
        assertEquals("KUBECONFIG names no file that exists, got [/none]", result.detail());
    }

    @Test
    void aFileWithoutAContextHasFailed() throws IOException {
        Path file = write(".kube/config", "apiVersion: v1", "contexts:", "- name: current-context");
        assertEquals(file + " has no current context", check(Map.of()).detail());
    }

    @Test
    void podNeedsNoKubeconfig() throws IOException {
        write("token", "s3cret");
        assertEquals(
                CheckResult.ok("kubeconfig", "none needed, this is a pod with a service account"),
                check(Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1")));
    }
}
