# SPDX-License-Identifier: GPL-2.0-only
"""Folders of results that were damaged at random (test/tools/fuzz-results for more of them)."""

import unittest

import result_fuzzer


class DamagedFolders(unittest.TestCase):
    def test_whatever_is_in_a_folder_commands_end_well(self):
        said = []
        self.assertEqual(result_fuzzer.run(60, report=said.append), [])

    def test_a_fault_is_found(self):
        class Used:
            ru_utime, ru_stime, ru_maxrss = 0.1, 0.1, 1000

        judge = result_fuzzer.Fuzzer.judge
        self.assertEqual(judge(2 << 8, Used, "Größe\tx: error\n"), "")
        self.assertIn("signal 11", judge(11, Used, ""))
        self.assertIn("status 1", judge(1 << 8, Used, ""))
        for text in ("\x1b[2J", "\u202e", "\r", "a defect", "[json.exception.type_error.302]"):
            self.assertIn("it printed", judge(0, Used, text))
        Used.ru_maxrss = 300 << 10
        self.assertIn("300 MB", judge(0, Used, ""))
        Used.ru_utime = 2.0
        self.assertIn("2.1 s", judge(0, Used, ""))


if __name__ == "__main__":
    unittest.main()
