/** Help for providers: reading settings, naming machines and cleaning up; of no use to others. */
@NullMarked
package dev.outpost.provider.support;

import org.jspecify.annotations.NullMarked;
