// SPDX-License-Identifier: GPL-2.0-only
#ifndef LAZY_TRACES_H
#define LAZY_TRACES_H

#include "ns3/callback.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3::rails
{

/**
 * Accessor of a trace source for TypeId::AddTraceSource(). The object makes its trace sources when
 * a sink is connected to the first of them, so one without sinks stays small and fires none.
 * \tparam Owner an ns-3 object
 * \tparam Sources a struct of TracedCallbacks
 * \param sources member of the object that holds its trace sources; nullptr without
 * \param source the trace source among them
 */
template <typename Owner, typename Sources, typename Source>
Ptr<const TraceSourceAccessor>
MakeLazyTraceAccessor(std::unique_ptr<Sources> Owner::*sources, Source Sources::*source)
{
    class Accessor : public TraceSourceAccessor
    {
      public:
        Accessor(std::unique_ptr<Sources> Owner::*held, Source Sources::*member)
            : m_sources(held),
              m_source(member)
        {
        }

        bool ConnectWithoutContext(ObjectBase* object, const CallbackBase& sink) const override
        {
            Source* const source = Find(object);
            if (source)
            {
                source->ConnectWithoutContext(sink);
            }
            return source;
        }

        bool Connect(ObjectBase* object,
                     std::string context,
                     const CallbackBase& sink) const override
        {
            Source* const source = Find(object);
            if (source)
            {
                source->Connect(sink, context);
            }
            return source;
        }

        bool DisconnectWithoutContext(ObjectBase* object, const CallbackBase& sink) const override
        {
            Source* const source = Find(object);
            if (source)
            {
                source->DisconnectWithoutContext(sink);
            }
            return source;
        }

        bool Disconnect(ObjectBase* object,
                        std::string context,
                        const CallbackBase& sink) const override
        {
            Source* const source = Find(object);
            if (source)
            {
                source->Disconnect(sink, context);
            }
            return source;
        }

      private:
        /// \return the trace source of an object, made if need be; nullptr of another class
        Source* Find(ObjectBase* object) const
        {
            auto* const owner = dynamic_cast<Owner*>(object);
            if (!owner)
            {
                return nullptr;
            }
            std::unique_ptr<Sources>& held = owner->*m_sources;
            if (!held)
            {
                held = std::make_unique<Sources>();
            }
            return &((*held).*m_source);
        }

        std::unique_ptr<Sources> Owner::*m_sources;
        Source Sources::*m_source;
    };

    return Ptr<const TraceSourceAccessor>(new Accessor(sources, source), false);
}

/// Fires a trace source that may have sinks: apart from the caller, whose code stays small.
template <typename Source, typename... Values>
[[gnu::noinline, gnu::cold]] void
FireConnected(const Source& source, int64_t now, const Values&... values)
{
    source(TimeStep(now), values...);
}

/**
 * Fires a trace source of MakeLazyTraceAccessor(); nothing without sinks.
 * \param sources of the object
 * \param source the trace source among them
 * \param clock whose Now() is the time of the object's node, the first argument of sinks
 * \param values further arguments
 */
template <typename Sources, typename Clock, typename... Arguments, typename... Values>
void
FireTrace(const std::unique_ptr<Sources>& sources,
          TracedCallback<Time, Arguments...> Sources::*source,
          const Clock& clock,
          const Values&... values)
{
    if (__builtin_expect(sources != nullptr, 0) && !((*sources).*source).IsEmpty())
    {
        FireConnected((*sources).*source, clock.Now(), values...);
    }
}

} // namespace ns3::rails

#endif // LAZY_TRACES_H
