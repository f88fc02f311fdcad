package dev.outpost.provider;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Consumer and workstation cards by the names that {@code nvidia-smi} prints: the type, its least memory in GB, its capability. */
@Tag("quick")
class CardNamesTest {
    private final GpuCatalogue catalogue = GpuCatalogue.standard();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        NVIDIA GeForce RTX 2060 | RTX2060 | 6 | 7.5
        NVIDIA GeForce RTX 2060 SUPER | RTX2060Super | 8 | 7.5
        NVIDIA GeForce RTX 2070 | RTX2070 | 8 | 7.5
        NVIDIA GeForce RTX 2070 SUPER | RTX2070Super | 8 | 7.5
        NVIDIA GeForce RTX 2080 | RTX2080 | 8 | 7.5
        NVIDIA GeForce RTX 2080 SUPER | RTX2080Super | 8 | 7.5
        NVIDIA GeForce RTX 2080 Ti | RTX2080Ti | 11 | 7.5
        GeForce RTX 2080 Ti | RTX2080Ti | 11 | 7.5
        NVIDIA GeForce RTX 3050 | RTX3050 | 6 | 8.6
        NVIDIA GeForce RTX 3050 Laptop GPU | RTX3050Laptop | 4 | 8.6
        NVIDIA GeForce RTX 3050 4GB Laptop GPU | RTX3050Laptop | 4 | 8.6
        NVIDIA GeForce RTX 3050 6GB Laptop GPU | RTX3050Laptop | 4 | 8.6
        NVIDIA GeForce RTX 3050 Ti Laptop GPU | RTX3050TiLaptop | 4 | 8.6
        NVIDIA GeForce RTX 3060 | RTX3060 | 8 | 8.6
        NVIDIA GeForce RTX 3060 Ti | RTX3060Ti | 8 | 8.6
        NVIDIA GeForce RTX 3060 Laptop GPU | RTX3060Laptop | 6 | 8.6
        NVIDIA GeForce RTX 3070 | RTX3070 | 8 | 8.6
        NVIDIA GeForce RTX 3070 Ti | RTX3070Ti | 8 | 8.6
        NVIDIA GeForce RTX 3070 Laptop GPU | RTX3070Laptop | 8 | 8.6
        NVIDIA GeForce RTX 3070 Ti Laptop GPU | RTX3070TiLaptop | 8 | 8.6
        NVIDIA GeForce RTX 3080 | RTX3080 | 10 | 8.6
        NVIDIA GeForce RTX 3080 Ti | RTX3080Ti | 12 | 8.6
        NVIDIA GeForce RTX 3080 Laptop GPU | RTX3080Laptop | 8 | 8.6
        NVIDIA GeForce RTX 3080 Ti Laptop GPU | RTX3080TiLaptop | 16 | 8.6
        NVIDIA GeForce RTX 3090 | RTX3090 | 24 | 8.6
        NVIDIA GeForce RTX 3090 Ti | RTX3090Ti | 24 | 8.6
        NVIDIA GeForce RTX 4050 Laptop GPU | RTX4050Laptop | 6 | 8.9
        NVIDIA GeForce RTX 4060 | RTX4060 | 8 | 8.9
        NVIDIA GeForce RTX 4060 Ti | RTX4060Ti | 8 | 8.9
        NVIDIA GeForce RTX 4060 Laptop GPU | RTX4060Laptop | 8 | 8.9
        NVIDIA GeForce RTX 4070 | RTX4070 | 12 | 8.9
        NVIDIA GeForce RTX 4070 SUPER | RTX4070Super | 12 | 8.9
        NVIDIA GeForce RTX 4070 Ti | RTX4070Ti | 12 | 8.9
        NVIDIA GeForce RTX 4070 Ti SUPER | RTX4070TiSuper | 16 | 8.9
        NVIDIA GeForce RTX 4070 Laptop GPU | RTX4070Laptop | 8 | 8.9
        NVIDIA GeForce RTX 4080 | RTX4080 | 16 | 8.9
        NVIDIA GeForce RTX 4080 SUPER | RTX4080Super | 16 | 8.9
        NVIDIA GeForce RTX 4080 Laptop GPU | RTX4080Laptop | 12 | 8.9
        NVIDIA GeForce RTX 4090 | RTX4090 | 24 | 8.9
        NVIDIA GeForce RTX 4090 D | RTX4090D | 24 | 8.9
        NVIDIA GeForce RTX 4090 Laptop GPU | RTX4090Laptop | 16 | 8.9
        NVIDIA GeForce RTX 5050 | RTX5050 | 8 | 12.0
        NVIDIA GeForce RTX 5050 Laptop GPU | RTX5050Laptop | 8 | 12.0
        NVIDIA GeForce RTX 5060 | RTX5060 | 8 | 12.0
        NVIDIA GeForce RTX 5060 Ti | RTX5060Ti | 8 | 12.0
        NVIDIA GeForce RTX 5060 Laptop GPU | RTX5060Laptop | 8 | 12.0
        NVIDIA GeForce RTX 5070 | RTX5070 | 12 | 12.0
        NVIDIA GeForce RTX 5070 Ti | RTX5070Ti | 16 | 12.0
        NVIDIA GeForce RTX 5070 Laptop GPU | RTX5070Laptop | 8 | 12.0
        NVIDIA GeForce RTX 5070 Ti Laptop GPU | RTX5070TiLaptop | 12 | 12.0
        NVIDIA GeForce RTX 5080 | RTX5080 | 16 | 12.0
        NVIDIA GeForce RTX 5080 Laptop GPU | RTX5080Laptop | 16 | 12.0
        NVIDIA GeForce RTX 5090 | RTX5090 | 32 | 12.0
        NVIDIA GeForce RTX 5090 D | RTX5090D | 24 | 12.0
        NVIDIA GeForce RTX 5090 D v2 | RTX5090D | 24 | 12.0
        NVIDIA GeForce RTX 5090 Laptop GPU | RTX5090Laptop | 24 | 12.0
        NVIDIA RTX A2000 | RTXA2000 | 6 | 8.6
        NVIDIA RTX A2000 12GB | RTXA2000 | 6 | 8.6
        NVIDIA RTX A2000 Laptop GPU | RTXA2000Laptop | 4 | 8.6
        NVIDIA RTX A2000 8GB Laptop GPU | RTXA2000Laptop | 4 | 8.6
        NVIDIA RTX A3000 Laptop GPU | RTXA3000Laptop | 6 | 8.6
        NVIDIA RTX A3000 12GB Laptop GPU | RTXA3000Laptop | 6 | 8.6
        NVIDIA RTX A4000 | RTXA4000 | 16 | 8.6
        NVIDIA RTX A4000 Laptop GPU | RTXA4000Laptop | 8 | 8.6
        NVIDIA RTX A4500 | RTXA4500 | 20 | 8.6
        NVIDIA RTX A4500 Laptop GPU | RTXA4500Laptop | 16 | 8.6
        NVIDIA RTX A5000 | RTXA5000 | 24 | 8.6
        NVIDIA RTX A5000 Laptop GPU | RTXA5000Laptop | 16 | 8.6
        NVIDIA RTX A5500 | RTXA5500 | 24 | 8.6
        NVIDIA RTX A5500 Laptop GPU | RTXA5500Laptop | 16 | 8.6
        NVIDIA RTX A6000 | RTXA6000 | 48 | 8.6
        NVIDIA RTX 2000 Ada Generation | RTX2000Ada | 16 | 8.9
        NVIDIA RTX 2000 Ada Generation Laptop GPU | RTX2000AdaLaptop | 8 | 8.9
        NVIDIA RTX 3000 Ada Generation Laptop GPU | RTX3000AdaLaptop | 8 | 8.9
        NVIDIA RTX 3500 Ada Generation Laptop GPU | RTX3500AdaLaptop | 12 | 8.9
        NVIDIA RTX 4000 Ada Generation | RTX4000Ada | 20 | 8.9
        NVIDIA RTX 4000 SFF Ada Generation | RTX4000Ada | 20 | 8.9
        NVIDIA RTX 4000 Ada Generation Laptop GPU | RTX4000AdaLaptop | 12 | 8.9
        NVIDIA RTX 4500 Ada Generation | RTX4500Ada | 24 | 8.9
        NVIDIA RTX 5000 Ada Generation | RTX5000Ada | 32 | 8.9
        NVIDIA RTX 5000 Ada Generation Laptop GPU | RTX5000AdaLaptop | 16 | 8.9
        NVIDIA RTX 5880 Ada Generation | RTX5880Ada | 48 | 8.9
        NVIDIA RTX 6000 Ada Generation | RTX6000Ada | 48 | 8.9
        NVIDIA RTX PRO 500 Blackwell Generation Laptop GPU | RTXPRO500Laptop | 6 | 12.0
        NVIDIA RTX PRO 1000 Blackwell Generation Laptop GPU | RTXPRO1000Laptop | 8 | 12.0
        NVIDIA RTX PRO 2000 Blackwell | RTXPRO2000 | 16 | 12.0
        NVIDIA RTX PRO 2000 Blackwell Generation Laptop GPU | RTXPRO2000Laptop | 8 | 12.0
        NVIDIA RTX PRO 3000 Blackwell Generation Laptop GPU | RTXPRO3000Laptop | 12 | 12.0
        NVIDIA RTX PRO 4000 Blackwell | RTXPRO4000 | 24 | 12.0
        NVIDIA RTX PRO 4000 Blackwell SFF Edition | RTXPRO4000 | 24 | 12.0
        NVIDIA RTX PRO 4000 Blackwell Generation Laptop GPU | RTXPRO4000Laptop | 16 | 12.0
        NVIDIA RTX PRO 4500 Blackwell | RTXPRO4500 | 32 | 12.0
        NVIDIA RTX PRO 4500 Blackwell Server Edition | RTXPRO4500 | 32 | 12.0
        NVIDIA RTX PRO 5000 Blackwell | RTXPRO5000 | 48 | 12.0
        NVIDIA RTX PRO 5000 72GB Blackwell | RTXPRO5000 | 48 | 12.0
        NVIDIA RTX PRO 5000 Blackwell Generation Laptop GPU | RTXPRO5000Laptop | 24 | 12.0
        NVIDIA RTX PRO 6000 Blackwell Workstation Edition | RTXPRO6000 | 96 | 12.0
        NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition | RTXPRO6000 | 96 | 12.0
        NVIDIA RTX PRO 6000 Blackwell Server Edition | RTXPRO6000 | 96 | 12.0
        """)
    void theNameOfTheDriverMeansOneType(String driver, String name, long gigabytes, String capability) {
        List<GpuType> meant =
                catalogue.types().stream().filter(type -> type.isCalled(driver)).toList();
        assertEquals(List.of(name), meant.stream().map(GpuType::name).toList());
        assertEquals(gigabytes * GpuType.GIGABYTE, meant.getFirst().assuredMemory());
        assertEquals(capability, meant.getFirst().computeCapability().toString());
        assertEquals(name, catalogue.find(driver).name());
        assertTrue(catalogue.find(name).isCalled(driver.replace(' ', '-')));
    }

    @ParameterizedTest
    @CsvSource({
        "A100, NVIDIA A100-SXM4-40GB, true",
        "A100-80GB, NVIDIA A100-SXM4-40GB, false",
        "H100, NVIDIA H100 80GB HBM3, true",
        "H200, NVIDIA H200 NVL, true",
        "A10, NVIDIA A10G, false",
        "L40, NVIDIA L40S, false",
        "GH200, NVIDIA GH200 480GB, true",
        "T4, Tesla T4, true",
        "RTX4080, NVIDIA GeForce RTX 4080 SUPER, false",
        "RTX4080, NVIDIA GeForce RTX 4080 Laptop GPU, false",
        "RTX4070Ti, NVIDIA GeForce RTX 4070 Ti SUPER, false",
        "any, NVIDIA GeForce RTX 4090, true"
    })
    void aDeviceIsOfATypeOrOfItsFamily(String type, String driver, boolean isOf) {
        assertEquals(isOf, catalogue.isOf(catalogue.find(type), driver));
    }

    /** Names that contain the name of a card of the catalogue, with further text before or after it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "NVIDIA GeForce RTX 3050 A Laptop GPU",
                "NVIDIA RTX 2000E Ada Generation",
                "NVIDIA RTX A5000-8Q",
                "NVIDIA RTX 6000D",
                "Quadro RTX 6000",
                "NVIDIA GeForce GTX 1660 SUPER"
            })
    void anotherCardIsNone(String driver) {
        assertThrows(UnknownGpuException.class, () -> catalogue.find(driver));
    }
}
