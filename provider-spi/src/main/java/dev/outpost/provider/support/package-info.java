/** What several providers need to read settings, to name machines and to clean up; of no use to others. */
@NullMarked
package dev.outpost.provider.support;

import org.jspecify.annotations.NullMarked;
