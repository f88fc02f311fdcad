package dev.outpost.bench;

import dev.outpost.bench.statistics.Median;

/** Measures large tensors and a plain stream alternately, because the host's own speed varies more than they differ. */
final class BulkRace {
    private final Bulk bulk;
    private final RawStream raw;
    private final Way up = new Way();
    private final Way down = new Way();
    private final Way downToNew = new Way();
    private final Median rawUp = new Median();
    private final Median rawDown = new Median();

    /** The measurements of one way, and their ratio to the plain stream of the same round. */
    private static final class Way {
        private final Median speed = new Median();
        private final Median ratio = new Median();

        void add(double ours, double plain) {
            speed.add(ours);
            ratio.add(ours / plain);
        }
    }

    BulkRace(Bulk bulk, RawStream raw) {
        this.bulk = bulk;
        this.raw = raw;
    }

    /** Runs all variants alternately until both sides of each are compiled. These measurements are not reported. */
    void warmUp(WarmUp warmUp) {
        long begin = System.nanoTime();
        for (int round = 0; !warmUp.isOver(round, System.nanoTime() - begin); round++) {
            round();
        }
    }

    void run(int rounds) {
        for (int round = 0; round < rounds; round++) {
            round();
        }
    }

    private void round() {
        RawStream.Speed plain = raw.measure();
        up.add(bulk.upload(), plain.up());
        down.add(bulk.download(), plain.down());
        downToNew.add(bulk.downloadToNew(), plain.down());
        rawUp.add(plain.up());
        rawDown.add(plain.down());
    }

    void addTo(MeasuredFigures figures) {
        figures.add("upload_gb_s", up.speed.value(), ratio(up) + "; aim: 0.9");
        figures.add("download_gb_s", down.speed.value(), ratio(down) + "; aim: 0.9");
        figures.add("download_to_new_array_gb_s", downToNew.speed.value(), ratio(downToNew));
        figures.add("raw_grpc_gb_s", rawUp.value(), "");
        figures.add("raw_grpc_download_gb_s", rawDown.value(), "");
    }

    private static String ratio(Way way) {
        return String.format("%.2f of a plain grpc-java stream", way.ratio.value());
    }
}
