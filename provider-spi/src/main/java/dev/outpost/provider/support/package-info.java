/** What several providers need to read settings, to name machines and to clean up; of no use to others. */
package dev.outpost.provider.support;
