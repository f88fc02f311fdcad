package dev.outpost.backend.model.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.backend.model.MachineEvent;
import dev.outpost.backend.model.MachineFixtures;
import dev.outpost.rest.machine.EventType;
import dev.outpost.rest.machine.Phase;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class LedgerTest {
    private static final Instant START = MachineFixtures.START;

    private static UsageInterval usage(long from, long to) {
        return new UsageInterval(
                START.plusSeconds(from), Optional.of(START.plusSeconds(to)), "READY", Optional.of("END_ASKED"));
    }

    private static MachineEvent event(EventType type, long millis, Phase phase) {
        return new MachineEvent(type, START.plusMillis(millis), phase, "");
    }

    @Test
    void aMachineIsChargedFromReadyUntilItsEndWasAskedFor() {
        List<UsageInterval> usages = Ledger.usages(List.of(
                event(EventType.ADMITTED, 0, Phase.ADMITTED),
                event(EventType.READY, 1_999, Phase.READY),
                event(EventType.EXTENDED, 3_000, Phase.READY),
                event(EventType.END_ASKED, 7_001, Phase.ENDING),
                event(EventType.ENDED, 9_000, Phase.ENDED)));
        assertEquals(List.of(usage(1, 7)), usages);
    }

    @Test
    void aMachineOutOfSightIsNotCharged() {
        List<UsageInterval> usages = Ledger.usages(List.of(
                event(EventType.READY, 0, Phase.READY),
                event(EventType.LOST, 5_000, Phase.LOST),
                event(EventType.READY, 9_000, Phase.READY)));
        assertEquals(2, usages.size());
        assertEquals(Optional.of("LOST"), usages.getFirst().ended());
        assertEquals(Optional.empty(), usages.getLast().to());
    }

    @Test
    void anIntervalIsNotNegativeWhenTheClockGoesBack() {
        List<UsageInterval> usages = Ledger.usages(
                List.of(event(EventType.READY, 9_000, Phase.READY), event(EventType.END_ASKED, 2_000, Phase.ENDING)));
        assertEquals(List.of(usage(9, 9)), usages);
    }

    @Test
    void aPriceChangeSplitsAnInterval() {
        List<Price> prices = List.of(new Price("A100", START, 5), new Price("A100", START.plusSeconds(10), 7));
        List<Charge> charges = Ledger.charges(usage(0, 30), 2, prices, START, START.plusSeconds(100));
        assertEquals(List.of(100L, 280L), charges.stream().map(Charge::nanos).toList());
        assertEquals("PRICE", charges.getFirst().ended());
        assertEquals("END_ASKED", charges.getLast().ended());
        assertEquals(380, Ledger.total(charges));
    }

    @Test
    void machineOfLessThanASecondCostsNothing() {
        List<Price> prices = List.of(new Price("A100", START, 5));
        List<Charge> charges = Ledger.charges(usage(7, 7), 2, prices, START, START.plusSeconds(100));
        assertEquals(1, charges.size());
        assertEquals(0, charges.getFirst().nanos());
        assertEquals("READY", charges.getFirst().began());
        assertEquals("END_ASKED", charges.getFirst().ended());
        assertEquals(List.of(), Ledger.charges(usage(7, 7), 2, prices, START, START.plusSeconds(7)));
        assertEquals(List.of(), Ledger.charges(usage(7, 7), 2, prices, START.plusSeconds(8), START.plusSeconds(9)));
    }

    @Test
    void usageBeforeTheFirstPriceIsFree() {
        List<Price> prices = List.of(new Price("A100", START.plusSeconds(10), 7));
        assertEquals(7 * 5, Ledger.total(Ledger.charges(usage(0, 15), 1, prices, START, START.plusSeconds(100))));
    }

    /** The costs of adjacent windows add up to the costs of the whole window, to the nano-unit. */
    @Test
    void aSumDoesNotDependOnHowTimeIsCut() {
        Random random = new Random(7);
        for (int trial = 0; trial < 1_000; trial++) {
            List<Price> prices = prices(random);
            UsageInterval usage = usage(random.nextInt(50), 50 + random.nextInt(1_000));
            int gpus = 1 + random.nextInt(8);
            Instant end = START.plusSeconds(2_000);
            long whole = Ledger.total(Ledger.charges(usage, gpus, prices, START, end));
            Instant cut = START.plusMillis(random.nextInt(1_200_000));
            long first = Ledger.total(Ledger.charges(usage, gpus, prices, START, cut));
            long second = Ledger.total(Ledger.charges(usage, gpus, prices, cut, end));
            assertEquals(whole, first + second, () -> usage + " cut at " + cut + " with " + prices);
        }
    }

    private static List<Price> prices(Random random) {
        List<Price> prices = new ArrayList<>();
        for (int i = 0; i < random.nextInt(5); i++) {
            prices.add(new Price(
                    "A100",
                    START.plusSeconds(random.nextInt(1_000)),
                    BigDecimal.valueOf(random.nextLong(1_000_000_000_000L), 9)));
        }
        return prices;
    }

    /** 2.50 per hour is not a whole number of billionths per second. */
    @Test
    void anHourCostsExactlyItsPrice() {
        List<Price> prices = List.of(Price.perHour("A100", START, new BigDecimal("1.25")));
        UsageInterval usage =
                new UsageInterval(START, Optional.of(START.plusSeconds(3_600)), "READY", Optional.of("ENDED"));
        assertEquals(1_250_000_000, Ledger.total(Ledger.charges(usage, 1, prices, START, START.plusSeconds(3_600))));
        assertEquals(3_750_000_000L, Ledger.total(Ledger.charges(usage, 3, prices, START, START.plusSeconds(3_600))));
    }

    @Test
    void amountBeyondTheLargestNumberIsThatNumber() {
        List<Price> prices = List.of(Price.perHour("A100", START, new BigDecimal(1_000_000)));
        UsageInterval usage = new UsageInterval(START, Optional.empty(), "READY", Optional.empty());
        Instant end = START.plusSeconds(3_600L * 24 * 400);
        assertEquals(Long.MAX_VALUE, Ledger.total(Ledger.charges(usage, 1_000, prices, START, end)));
    }

    @Test
    void aPriceByTheHourIsKeptExactly() {
        Price price = Price.perHour("A100", START, new BigDecimal("2.50"));
        assertEquals(694_444, price.nanosPerSecond());
        assertEquals(new BigDecimal("2.50"), price.perHour());
    }
}
