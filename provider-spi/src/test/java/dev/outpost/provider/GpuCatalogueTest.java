package dev.outpost.provider;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("quick")
class GpuCatalogueTest {
    private final GpuCatalogue catalogue = GpuCatalogue.standard();

    @ParameterizedTest
    @CsvSource({
        "T4, 16, 7.5",
        "L4, 24, 8.9",
        "A10, 24, 8.6",
        "A10G, 24, 8.6",
        "A30, 24, 8.0",
        "A40, 48, 8.6",
        "A100, 40, 8.0",
        "A100-40GB, 40, 8.0",
        "A100-80GB, 80, 8.0",
        "L40, 48, 8.9",
        "L40S, 48, 8.9",
        "H100, 80, 9.0",
        "GH200, 96, 9.0",
        "H200, 141, 9.0",
        "B200, 192, 10.0"
    })
    void knowsTheUsualGpus(String name, long gigabytes, String capability) {
        GpuType type = catalogue.find(name);
        assertEquals(name, type.name());
        assertEquals(gigabytes * GpuType.GIGABYTE, type.assuredMemory());
        assertEquals(capability, type.computeCapability().toString());
    }

    @Test
    void anA100MayHaveEitherSize() {
        assertEquals(
                List.of(40 * GpuType.GIGABYTE, 80 * GpuType.GIGABYTE),
                catalogue.find("A100").memoryVariants());
    }

    @Test
    void caseDoesNotMatterAndAliasesCount() {
        assertEquals("A100-80GB", catalogue.find("a100-80gb").name());
        assertEquals("T4", catalogue.find("tesla-t4").name());
        assertEquals("A100-40GB", catalogue.find("A100-SXM4-40GB").name());
        assertEquals("H100", catalogue.find("NVIDIA-H100-NVL").name());
    }

    @Test
    void anyPromisesNothing() {
        GpuType any = catalogue.find("Any");
        assertSame(GpuType.ANY, any);
        assertTrue(any.isAny());
        assertEquals(0, any.assuredMemory());
    }

    @Test
    void anUnknownNameIsAnsweredWithTheNearest() {
        var unknown = assertThrows(UnknownGpuException.class, () -> catalogue.find("A1000"));
        assertEquals(
                "no GPU is called A1000; did you mean A100? The catalogue has "
                        + (catalogue.types().size() + 1) + " names; ./outpost gpus lists them.",
                unknown.getMessage());
    }

    @Test
    void aNameLikeNoOtherIsAnsweredWithTheListOnly() {
        var unknown = assertThrows(UnknownGpuException.class, () -> catalogue.find("quantum"));
        assertTrue(unknown.getMessage().startsWith("no GPU is called quantum. The catalogue has "));
    }

    @Test
    void configurationAddsTypes() {
        GpuCatalogue extended = GpuCatalogue.with(" GTX1080=24GB:8.9; GTX1070 = 12 gb : 8.6 ;");
        assertEquals(
                24 * GpuType.GIGABYTE, extended.find("gtx1080").memoryVariants().getFirst());
        assertEquals(new ComputeCapability(8, 6), extended.find("GTX1070").computeCapability());
        assertEquals(catalogue.types().size() + 2, extended.types().size());
    }

    @Test
    void configurationReplacesTypes() {
        GpuCatalogue replaced = GpuCatalogue.with("t4=15GB:7.5");
        assertEquals(15 * GpuType.GIGABYTE, replaced.find("T4").assuredMemory());
        assertEquals(catalogue.types().size(), replaced.types().size());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "RTX4090 | expected NAME=MEMORY:CAPABILITY such as RTX4090=24GB:8.9, got \"RTX4090\"",
                "RTX4090=24GB | expected NAME=MEMORY:CAPABILITY such as RTX4090=24GB:8.9, got \"RTX4090=24GB\"",
                "RTX4090=lots:8.9 | RTX4090: expected memory such as 24GB, got \"lots\"",
                "RTX4090=0GB:8.9 | RTX4090: expected memory such as 24GB, got \"0GB\"",
                "RTX4090=24GB:new | RTX4090: expected a compute capability such as 8.9, got \"new\"",
                "RTX 4090=24GB:8.9 | a name has letters, digits, dots, dashes and underscores, got \"RTX 4090\"",
                "ANY=24GB:8.9 | any stands for every GPU of the provider and cannot be defined",
                "X=24GB:8.9;x=12GB:8.6 | x is defined twice"
            })
    void aBadConfigurationSaysWhere(String configuration, String problem) {
        var refused = assertThrows(IllegalArgumentException.class, () -> GpuCatalogue.with(configuration));
        assertEquals("outpost.gpus: " + problem, refused.getMessage());
    }

    @Test
    void theSystemPropertyConfigures() {
        String earlier = System.getProperty(GpuCatalogue.PROPERTY);
        System.setProperty(GpuCatalogue.PROPERTY, "RTX4090=24GB:8.9");
        try {
            assertEquals("RTX4090", GpuCatalogue.configured().find("rtx4090").name());
        } finally {
            restore(earlier);
        }
    }

    private static void restore(String earlier) {
        if (earlier == null) {
            System.clearProperty(GpuCatalogue.PROPERTY);
        } else {
            System.setProperty(GpuCatalogue.PROPERTY, earlier);
        }
    }
}
