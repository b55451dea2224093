# SPDX-License-Identifier: GPL-2.0-only

# Batches: several sources of a target are compiled as one, since most of a source's time goes into the
# headers that all of them include. CMake's UNITY_BUILD names sources by absolute paths; a batch here
# includes them by relative ones, so that ccache knows it again in any other clone.

# Rooms in which runs spend hardly any time: at -O2 they compile a tenth quicker than at -O3, and runs are as fast.
set(rails_cold_rooms model_collective model_moe model_topology model_workload helper)
set(rails_cold_options $<$<CONFIG:release>:-O2>)

set(RAILS_CHANGED "" CACHE STRING "Sources, relative to the rails module, that are compiled alone")

# rails_batch(SIZE TARGET [NAME]...): compiles the sources of a target in batches of at most SIZE sources of one
# room, which is a folder such as model/fabric or test/moe with all below it. What has changed is compiled
# alone, to take no others along at the next change, and so is what has compile options of its own.
# A batch without a source that has changed is otherwise the same as with it. NAMEs are of static
# functions and variables that several sources of the target have, besides g_log, which
# NS_LOG_COMPONENT_DEFINE makes.
function(rails_batch size target)
  get_target_property(sources ${target} SOURCES)
  get_target_property(source_folder ${target} SOURCE_DIR)
  set(left)
  set(rooms)
  foreach(source ${sources})
    get_filename_component(path ${source} ABSOLUTE BASE_DIR ${source_folder})
    get_source_file_property(options ${path} TARGET_DIRECTORY ${target} COMPILE_OPTIONS)
    get_source_file_property(definitions ${path} TARGET_DIRECTORY ${target} COMPILE_DEFINITIONS)
    if(NOT path MATCHES "\\.cc$" OR options OR definitions)
      list(APPEND left ${source})
    else()
      string(REPLACE "${PROJECT_SOURCE_DIR}/" "" inside ${path})
      string(REPLACE "contrib/rails/" "" inside ${inside})
      get_filename_component(inside ${inside} DIRECTORY)
      string(REGEX MATCH "^(test/[^/]+|[^/]+(/[^/]+)?)" room ${inside})
      string(MAKE_C_IDENTIFIER "${room}" room)
      list(APPEND rooms ${room})
      list(APPEND members_${room} ${path})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES rooms)

  set(folder ${PROJECT_BINARY_DIR}/contrib/rails/batches/${target})
  file(MAKE_DIRECTORY ${folder})
  set(module ${PROJECT_SOURCE_DIR}/contrib/rails)
  foreach(room ${rooms})
    list(LENGTH members_${room} number)
    math(EXPR parts "(${number} + ${size} - 1) / ${size}")
    foreach(part RANGE 1 ${parts})
      math(EXPR begin "${number} * (${part} - 1) / ${parts}")
      math(EXPR length "${number} * ${part} / ${parts} - ${begin}")
      list(SUBLIST members_${room} ${begin} ${length} members)
      set(text)
      foreach(path ${members})
        file(RELATIVE_PATH inside ${module} ${path})
        if(inside IN_LIST RAILS_CHANGED)
          list(APPEND left ${path})
        else()
          rails_include_in_batch(text ${folder} ${path} g_log ${ARGN})
        endif()
      endforeach()
      if(text)
        set(batch ${folder}/${room}-${part}.cc)
        file(CONFIGURE OUTPUT ${batch} CONTENT "${text}" @ONLY) # which leaves it as old as it is
        list(APPEND left ${batch})
        if(room IN_LIST rails_cold_rooms)
          set_source_files_properties(
            ${batch} TARGET_DIRECTORY ${target} PROPERTIES COMPILE_OPTIONS "${rails_cold_options}"
          )
        endif()
      endif()
    endforeach()
  endforeach()
  set_target_properties(${target} PROPERTIES SOURCES "${left}")
  # What tests and logs print of a place: as from the module's folder.
  file(RELATIVE_PATH below ${PROJECT_BINARY_DIR} ${folder})
  file(RELATIVE_PATH back ${folder} ${module})
  target_compile_options(${target} PRIVATE -fmacro-prefix-map=${below}/${back}/=)
  # GCC looks for memory that it can use again once it has taken 1 GiB, of which most batches need
  # less: an eighth of the time.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE "SHELL:--param ggc-min-heapsize=1048576")
  endif()
endfunction()

# Appends what includes a source to a variable, the text of a batch that is in a folder. Statics get
# names of their own.
function(rails_include_in_batch variable folder path)
  file(RELATIVE_PATH included ${folder} ${path})
  if(NOT EXISTS ${folder}/${included}) # symbolic links are in its way
    set(included ${path})
  endif()
  get_filename_component(stem ${path} NAME_WE)
  set(before)
  set(after)
  foreach(name ${ARGN})
    string(MAKE_C_IDENTIFIER ${name}_${stem} own)
    string(APPEND before "#define ${name} ${own}\n")
    string(APPEND after "#undef ${name}\n")
  endforeach()
  set(${variable} "${${variable}}${before}#include \"${included}\"\n${after}" PARENT_SCOPE)
endfunction()
