package dev.outpost.provider.process.state;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the text that a runtime prints when it is ready. */
@Tag("quick")
class AnnouncementTest {
    @ParameterizedTest
    @CsvSource({"127.0.0.1:50051, 127.0.0.1", "[fd00::7]:50051, fd00::7"})
    void addressHasNoBrackets(String endpoint, String host) {
        String output = "endpoint    " + endpoint + "\npin         " + "ab".repeat(32) + "\ndevice      cpu\n";
        assertEquals(host, Announcement.parse(output).orElseThrow().address().host());
        assertEquals(50051, Announcement.parse(output).orElseThrow().address().port());
    }
}
