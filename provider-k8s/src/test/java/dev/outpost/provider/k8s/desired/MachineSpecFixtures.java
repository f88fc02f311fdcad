package dev.outpost.provider.k8s.desired;

import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.k8s.config.SettingsReader;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Machines that a user may request. */
final class MachineSpecFixtures {
    static final GpuCatalogue CATALOGUE = GpuCatalogue.with("GTX1080=24GB:8.9");

    private MachineSpecFixtures() {}

    static KubernetesMachineSpec of(String gpu, String... settings) {
        return of(gpu, new LifetimePolicy.ClientLease(), settings);
    }

    static KubernetesMachineSpec stated(String gpu, Duration life, String... settings) {
        return of(gpu, new LifetimePolicy.Stated(life), settings);
    }

    /** Settings in pairs of name and value. */
    private static KubernetesMachineSpec of(String gpu, LifetimePolicy lifetime, String... settings) {
        Map<String, String> options = new HashMap<>();
        for (int index = 0; index < settings.length; index += 2) {
            options.put(settings[index], settings[index + 1]);
        }
        var config = SettingsReader.of(options, CATALOGUE);
        return new KubernetesMachineSpec("outpost-x7k2m9qd", CATALOGUE.find(gpu), lifetime, "ada@laptop", config);
    }
}
