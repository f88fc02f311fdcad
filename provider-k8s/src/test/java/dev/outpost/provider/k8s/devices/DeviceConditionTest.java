package dev.outpost.provider.k8s.devices;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("quick")
class DeviceConditionTest {

    static List<DeviceCondition> conditions() {
        return List.of(
                new DeviceCondition.Product(List.of("NVIDIA-A100-SXM4-40GB", "A100-SXM4-40GB")),
                new DeviceCondition.Memory(36_239),
                new DeviceCondition.Capability("8.0.0"),
                new DeviceCondition.Profile("1g.10gb+me"),
                new DeviceCondition.Expression("device.attributes['gpu.nvidia.com'].brand == 'Nvidia'"));
    }

    @ParameterizedTest
    @MethodSource("conditions")
    void aConditionIsReadBackFromItsExpression(DeviceCondition condition) {
        assertEquals(condition, DeviceCondition.of(condition.expression()));
    }

    @Test
    void expressionsAreThoseOfNvidiasAttributes() {
        assertEquals(
                List.of(
                        "'productName' in device.attributes['gpu.nvidia.com'] &&"
                                + " device.attributes['gpu.nvidia.com'].productName.replace(' ', '-') in"
                                + " ['NVIDIA-A100-SXM4-40GB', 'A100-SXM4-40GB']",
                        "'memory' in device.capacity['gpu.nvidia.com'] &&"
                                + " device.capacity['gpu.nvidia.com'].memory.compareTo(quantity('36239Mi')) >= 0",
                        "'cudaComputeCapability' in device.attributes['gpu.nvidia.com'] &&"
                                + " device.attributes['gpu.nvidia.com'].cudaComputeCapability"
                                + ".compareTo(semver('8.0.0')) >= 0",
                        "'profile' in device.attributes['gpu.nvidia.com'] &&"
                                + " device.attributes['gpu.nvidia.com'].profile == '1g.10gb+me'",
                        "device.attributes['gpu.nvidia.com'].brand == 'Nvidia'"),
                conditions().stream().map(DeviceCondition::expression).toList());
    }
}
