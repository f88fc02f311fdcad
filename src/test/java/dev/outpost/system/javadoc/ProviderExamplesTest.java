package dev.outpost.system.javadoc;

import dev.outpost.provider.ComputeCapability;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.GpuType;
import dev.outpost.provider.Providers;
import org.junit.jupiter.api.Test;

/** Examples of the Javadoc of providers and GPU types. */
class ProviderExamplesTest extends JavadocExamples {
    @Test
    void findGpu() {
        // @start region="findGpu"
        GpuType type = GpuCatalogue.standard().find("a100");
        println(type.name()); // A100
        // @end
    }

    @Test
    void matchesDevice() {
        // @start region="matchesDevice"
        GpuCatalogue gpus = GpuCatalogue.standard();
        println(gpus.isOf(gpus.find("RTX4090"), "NVIDIA GeForce RTX 4090")); // true
        // @end
    }

    @Test
    void findProvider() {
        // @start region="findProvider"
        println(Providers.discover().find("mock").name()); // mock
        // @end
    }

    @Test
    void computeCapability() {
        // @start region="computeCapability"
        println(ComputeCapability.parse("8.9").compareTo(ComputeCapability.parse("8.10")) < 0); // true
        // @end
    }
}
